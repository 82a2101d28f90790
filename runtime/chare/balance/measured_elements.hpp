// SPDX-License-Identifier: Apache-2.0
// What the elements of this PE took in an interval between LB steps.
//
// Without balancing an element would be where the program put it last: on the PE where it was made, or where
// migrate_to() sent it. A part of a divided element would be where that one is, which took all then. A family
// is one object and belongs where its leader does. What ended in the interval counts with what it took until
// then.
#pragma once

#include <span>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/balance/lb_step.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// An element of no array that is bound to another, with its family: an object of LB steps.
struct MeasuredElement {
  Element* leader;
  double load = 0;        ///< what its class declares, or the seconds that it took
  double declared = 0;    ///< the part of it that is declared
  bool declares = false;  ///< whether any class of the family does
  double busy_s = 0;      ///< the seconds that it took
};

/// Measures the elements here and begins the next interval. An element whose load() is none ends the job.
/// In a lazy job they stand at the agreed sync point, and loads are since they were last asked, as of a whole
/// interval between askings.
balance::IntervalShare end_interval();
/// The element stands at sync point n of a lazy job: what its family took since it was last asked, as of such
/// an interval. What comes is of the next.
MeasuredElement measure_when_asked(Element& leader, std::uint64_t n);
/// What strategies see as a load, of which a part is declared, or none of it is.
void add_load(balance::IntervalShare& share, double load, double declared, bool declares);
/// Those measured by the last call, until elements move.
std::span<const MeasuredElement> measured_elements();
/// Measures the elements here at the end of the job. No element is asked for anything.
balance::IntervalShare end_last_interval();

/// Whether the leader's family may move; if its program did not pin it, why it must stay is told of.
bool may_move(Element& leader);

}  // namespace skein::chare
