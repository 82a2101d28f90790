// SPDX-License-Identifier: Apache-2.0
// Finds out whether the PE's thread kept its processor, and for how long others had it: a stretch of
// computing by the clock, less that time, is processor time.
//
// Asking the kernel for a thread's processor time takes as long as ten messages. So the kernel is asked only
// after the thread may have lost its processor, which it tells unasked: it clears `rseq_cs`, in the area for
// restartable sequences that the C library has registered for the thread, when the thread goes on outside the
// sequence named there (rseq(2); ours is empty). Then /proc/thread-self/schedstat tells for how long the
// thread was ready to run and did not: this includes neither sleep nor time taken by the host of a virtual
// machine.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/load/meter.hpp"

namespace skein::load {

namespace detail {
struct ProcessorWatch {
  bool on = false;
  /// rseq_cs of the thread; the kernel sets it to 0 when the thread may have lost its processor.
  volatile std::uint64_t* sequence = nullptr;
  int schedstat = -1;
  std::uint64_t waited_ns = 0;
};
extern ProcessorWatch processor_watch;
}  // namespace detail

/// Watches the calling thread, which is to be the PE's, from here on. Returns true if the system supports it:
/// Linux 4.18 and a C library 2.35, or later. Otherwise no time is ever reported as lost.
bool watch_processor();

/// Returns true if the thread may have lost its processor since the last lost_ticks(). Costs one load where
/// the processor is not watched.
inline bool may_have_lost_processor() {
  return detail::processor_watch.on && *detail::processor_watch.sequence == 0;
}

/// Returns how long others have had the processor since the last call, in ticks. Takes a microsecond or two.
std::uint64_t lost_ticks();

/// Begins a stretch of computing: time lost before is charged to nobody.
[[gnu::always_inline]] inline void begin_keeping_processor() {
  if (may_have_lost_processor()) [[unlikely]]
    (void)lost_ticks();
}
/// Charges to the meter for how long others had the processor in the last `used` ticks.
[[gnu::always_inline]] inline void note_lost_ticks(Meter& meter, std::uint64_t used) {
  if (may_have_lost_processor()) [[unlikely]]
    meter.lost_ticks += std::min(used, lost_ticks());
}

/// Stops the watch.
void stop_watching_processor();

}  // namespace skein::load
