// SPDX-License-Identifier: Apache-2.0
// Watches whether the reserved PEs answer: skein/lb/witness.hpp with a clock around it. PE 0 is the witness;
// standing.hpp has its messages. If the reserved PEs do not answer within `patience`, a message says so, and
// the job goes on without LB steps, or ends (`silent`); when they answer again, there are steps again.
//
// A PE that stops within a step keeps the others in it: step_watch.hpp reports that.
//
// All functions are for the PE's one thread.
#pragma once

#include <cstdint>

#include "runtime/balance/pace.hpp"
#include "runtime/base/clock.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/witness.hpp"

namespace skein::balance {

/// Begins to watch. Called on all PEs, after the roles are known; without reserved PEs there is nothing to
/// watch. `release` makes objects that hold look again.
void begin_witness(const lb::Mode& mode, void (*release)());
void end_witness();

/// Returns true if the witness watches: some PEs are reserved.
bool is_witnessed();

/// Notes that all PEs are about to make a step: until note_stepped() nobody is called, and nothing is
/// dropped. On PE 0, like all functions below but note_stepped().
void note_stepping();
/// Notes that the step is over. On all PEs.
void note_stepped();

/// Returns true if a reserved PE has not answered for longer than the patience lasts: no step may begin.
bool is_reserved_pe_lost();
/// Drops what was decided and is not applied: objects that have promised to wait, or have stopped for it, go
/// on, and nobody waits for an answer until the reserved PEs answer again. Does nothing in jobs that are not
/// lazy.
void drop_decisions();
/// Returns true if the job is to end now without the reserved PEs, and says so. Called, again and again, when
/// all objects have ended and reserved PEs are lost.
bool is_to_end_without();
/// Returns the value of --lb-mode of these jobs, up to its keys, for messages.
const char* mode_name();

/// Tells the witness what a PE says; for standing.cpp.
void hear_stand(int pe, const lb::lazy::Stand& stand);
void hear_answer(int pe, std::uint64_t call);

void look_for_reserved();
/// Looks when it is due; called from the loop of the PE, again and again.
inline void keep_witness() {
  if (ticks() >= pace->witness_due) look_for_reserved();
}

}  // namespace skein::balance
