// SPDX-License-Identifier: Apache-2.0
// Whether the PE's thread kept its processor, and for how long others had it: what the clock says of a
// stretch of computing, less that, is processor time.
//
// Asking the kernel for a thread's processor time takes as long as ten messages. So it is only asked after
// the thread may have lost its processor, which the kernel says without being asked: it clears `rseq_cs`, of
// the area for restartable sequences that the C library has registered for the thread, when the thread goes
// on outside of the sequence that is named there (rseq(2); ours is empty). What is read then is for how long
// the thread was ready to run and did not (/proc/thread-self/schedstat): neither sleep is in it, nor what the
// host of a virtual machine takes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/load/meter.hpp"

namespace skein::load {

namespace detail {
struct ProcessorWatch {
  bool on = false;
  /// rseq_cs of the thread, which the kernel clears: 0 when it may have lost its processor.
  volatile std::uint64_t* sequence = nullptr;
  int schedstat = -1;
  std::uint64_t waited_ns = 0;
};
extern ProcessorWatch processor_watch;
}  // namespace detail

/// Watches the calling thread, which is to be the PE's, from here on. Returns whether the system can tell: a
/// Linux of 4.18 and a C library of 2.35 or later do. Else nothing is ever lost.
bool watch_processor();

/// Whether the thread may have lost its processor since lost_ticks() was called last. Costs one load where
/// the processor is not watched.
inline bool may_have_lost_processor() {
  return detail::processor_watch.on && *detail::processor_watch.sequence == 0;
}

/// For how long others have had the processor since the last call, in ticks. A microsecond or two.
std::uint64_t lost_ticks();

/// A stretch of computing begins: what was lost before is nobody's.
[[gnu::always_inline]] inline void begin_keeping_processor() {
  if (may_have_lost_processor()) [[unlikely]]
    (void)lost_ticks();
}
/// For how long others had the processor in the `used` ticks behind, of which the meter's object has been
/// told nothing yet.
[[gnu::always_inline]] inline void note_lost_ticks(Meter& meter, std::uint64_t used) {
  if (may_have_lost_processor()) [[unlikely]]
    meter.lost_ticks += std::min(used, lost_ticks());
}

/// Nothing is lost any more.
void stop_watching_processor();

}  // namespace skein::load
