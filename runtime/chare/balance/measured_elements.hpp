// SPDX-License-Identifier: Apache-2.0
// The load of this PE's elements in an interval between LB steps.
//
// Without balancing an element would be where the program put it last: on the PE where it was made, or where
// migrate_to() sent it. A part of a divided element would be with that element, which would then do all the
// work. A family is one object and belongs where its leader does. An element that ended in the interval
// counts with its load until then.
#pragma once

#include <span>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/balance/lb_step.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// An object of LB steps: an element that is not bound to another, with its family.
struct MeasuredElement {
  Element* leader;
  double load = 0;        ///< declared by its class, or measured, in seconds
  double declared = 0;    ///< the declared part of it
  bool declares = false;  ///< true: a class of the family declares a load
  double busy_s = 0;      ///< measured seconds
};

/// Measures the elements here and begins the next interval. An invalid load() ends the job. In a lazy job the
/// elements stand at the agreed sync point, and loads count since they were last asked, scaled to a whole
/// interval between askings.
balance::IntervalShare end_interval();
/// Measures the family since it was last asked, scaled to an interval between askings. The element stands at
/// sync point n of a lazy job. Later work counts for the next interval.
MeasuredElement measure_when_asked(Element& leader, std::uint64_t n);
/// Adds a load as strategies see it; a part of it may be declared.
void add_load(balance::IntervalShare& share, double load, double declared, bool declares);
/// Returns the elements measured by the last call, until elements move.
std::span<const MeasuredElement> measured_elements();
/// Measures the elements here at the end of the job, without calling them.
balance::IntervalShare end_last_interval();

/// Returns true if the leader's family may move. Warns of the reason if it must stay and its program did not
/// pin it.
bool may_move(Element& leader);

}  // namespace skein::chare
