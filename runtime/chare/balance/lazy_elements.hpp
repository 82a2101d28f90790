// SPDX-License-Identifier: Apache-2.0
// Elements at sync points of a job that balances lazily (runtime/balance/lazy/lazy_pe.hpp). One that calls
// at_sync() passes, or stands there until its method has returned: then it leaves its share if the job asks,
// and waits if it is told to.
//
// Elements come, go and move at any time, so what is sure of ranks is not of them:
//
//   Which elements come to sync points shows when the first of an array does, on some PE; all PEs are told.
//   Those of such arrays *synchronize*. All others leave their share when the first on their PE does that
//   synchronizes.
//   An element that comes to a PE leaves no share for points for which others there have left theirs. It may
//   be in no snapshot, then, and be placed by rule C (skein/lb/late.hpp).
//   A PE whose elements have all gone promises as if they were there: they are elsewhere, at points that it
//   knows of and that PE perhaps not yet.
//   Nobody may wait for an answer that never comes, because elements that should leave a share do not come to
//   the point: when the job is quiet and nobody decides, it goes on (pass_unanswered()).
#pragma once

#include "runtime/balance/step_config.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Once, on every PE, after the LB steps have been started.
void start_lazy_elements(const balance::StepConfig& config);

/// The element, which stands or is of an array that synchronizes, is on this PE from now on, or leaves it.
void note_coming(Element& element);
void note_going(Element& element);

/// The element has called at_sync().
void come_to_point(Element& element);
/// After an LB step: the element, which stopped there, goes on from its sync point.
void go_on_from_stop(Element& element);
/// After an LB step, when all elements go on.
void end_lazy_step();

/// Elements of this PE that stand at a sync point and are not stopped there.
std::uint64_t count_standing();
/// Nobody waits for the answer to what was asked so far.
void pass_unanswered();

}  // namespace skein::chare
