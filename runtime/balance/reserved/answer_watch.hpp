// SPDX-License-Identifier: Apache-2.0
// Whether the reserved PEs answer: skein/lb/witness.hpp with a clock around it. PE 0 is the witness; what it
// says to whom is in standing.hpp. Where they do not for so long as `patience` says, that is told, and the
// job goes on without LB steps, or ends (`silent`); when they answer again, there are steps again.
//
// A PE that stops within a step keeps the others in it: step_watch.hpp tells that.
//
// All functions are for the PE's one thread.
#pragma once

#include <cstdint>

#include "runtime/balance/pace.hpp"
#include "runtime/base/clock.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/witness.hpp"

namespace skein::balance {

/// On all PEs, after the roles are known; where none is reserved there is nothing to witness.
/// `release`: objects that hold are to look again.
void begin_witness(const lb::Mode& mode, void (*release)());
void end_witness();

/// Some PEs are reserved, so that there is something to witness.
bool is_witnessed();

/// On PE 0, all of the following. All PEs are about to make a step: until note_stepped() nobody is called,
/// and nothing is dropped.
void note_stepping();
/// The step is over. On all PEs.
void note_stepped();

/// A reserved PE has not answered for longer than the patience lasts. No step is to be begun.
bool is_reserved_pe_lost();
/// What was decided and is not applied is dropped: objects that have promised to wait, or have stopped for
/// it, go on, and nobody waits for an answer before the reserved PEs are found. In jobs that are not lazy
/// there is nothing to drop.
void drop_decisions();
/// All objects have ended, and reserved PEs are lost. Whether the job is to end without them by now, which is
/// told then; else to be asked again.
bool is_to_end_without();
/// What --lb-mode calls these jobs, up to its keys, for messages.
const char* mode_name();

/// For standing.cpp: what PEs say.
void hear_stand(int pe, const lb::lazy::Stand& stand);
void hear_answer(int pe, std::uint64_t call);

void look_for_reserved();
/// From the loop of the PE, again and again.
inline void keep_witness() {
  if (ticks() >= pace->witness_due) look_for_reserved();
}

}  // namespace skein::balance
