// SPDX-License-Identifier: Apache-2.0
// Elements at sync points of a job that balances lazily (runtime/balance/lazy/lazy_pe.hpp). An element that
// calls at_sync() passes, or stands there until its method has returned: then it leaves its share if the job
// asks, and waits if it is told to.
//
// Elements are created, end and move at any time, so they lack guarantees that ranks have:
//
//   Whether an array's elements come to sync points shows when the first does, on some PE; all PEs are told.
//   The elements of such an array *synchronize*. All others leave their share when the first synchronizing
//   element on their PE does.
//   An element that arrives leaves no share for points for which others on the PE have left theirs. It may
//   then be in no snapshot, and be placed by rule C (skein/lb/late.hpp).
//   A PE whose elements have all gone promises as if they were there: they are elsewhere, at points that it
//   knows of and that PE perhaps not yet.
//   No element may wait forever for an answer because others that should leave a share do not reach the
//   point: when the job is quiet and no PE decides, the job continues (pass_unanswered()).
#pragma once

#include "runtime/balance/step_config.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Sets lazy balancing up. On every PE, once, after the LB steps have been started.
void start_lazy_elements(const balance::StepConfig& config);

/// Note that an element that stands, or whose array synchronizes, comes to this PE or leaves it.
void note_coming(Element& element);
void note_going(Element& element);

/// Handles a call of at_sync().
void come_to_point(Element& element);
/// Resumes an element that stopped for an LB step from its sync point, after the step.
void go_on_from_stop(Element& element);
/// Ends an LB step, when all elements resume.
void end_lazy_step();

/// Counts the elements of this PE that stand at a sync point and are not stopped there.
std::uint64_t count_standing();
/// Lets the elements pass that wait for answers to earlier questions.
void pass_unanswered();

}  // namespace skein::chare
