// SPDX-License-Identifier: Apache-2.0
// Whether the reserved PEs answer: skein/lb/witness.hpp with messages and a clock around it. PE 0 is the
// witness. Where they do not for so long as `patience` says, that is told, and the job goes on without LB
// steps, or ends (`silent`); when they answer again, there are steps again.
//
// A PE that stops within a step keeps the others in it: step_watch.hpp tells that.
//
// All functions are for the PE's one thread.
#pragma once

#include <cstdint>

#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/mode.hpp"

namespace skein::balance {

struct WitnessWatch {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t due = never;  ///< when the witness is to look again, in ticks()
};
extern PerRuntime<WitnessWatch> witness_watch;

/// Once, on all PEs, before the first message.
void allow_witness();
/// On all PEs, after the roles are known; where none is reserved there is nothing to witness.
/// `release`: objects that hold are to look again.
void begin_witness(const lb::Mode& mode, void (*release)());
void end_witness();

/// What becomes of a PE that stands, all objects of which have stopped for a step, or ended.
enum class Standing : std::uint8_t {
  waits,    ///< as before: to be asked again when something has come
  meets,    ///< all PEs make the step
  goes_on,  ///< the objects go on without it. In lazy jobs they find that out by themselves
  ends      ///< all objects of the job have ended, and the reserved PEs do not answer: it is taken down next
};
/// `objects`: that have stopped here. On every PE.
Standing stand(std::uint64_t objects);
/// The step is over.
void note_stepped();

/// A reserved PE has not answered for longer than the patience lasts.
bool is_reserved_pe_lost();
/// Of these jobs: how long that is.
double patience_s();
/// And what --lb-mode calls them, for messages.
const char* mode_name();

void look_for_reserved();
/// From the loop of the PE, again and again.
inline void keep_witness() {
  if (ticks() >= witness_watch->due) look_for_reserved();
}

}  // namespace skein::balance
