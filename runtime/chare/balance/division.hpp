// SPDX-License-Identifier: Apache-2.0
// Divided elements: strategies that cut objects decide what part of which element goes where; the LB step
// lets the element split, gives the part an index of its own, and merges parts again when they have met and
// are small. All PEs know which elements are divided into what.
//
// A part is an element like any other. It has passed the same sync points, broadcasts and reductions as the
// element that it was split from.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/chare/balance/element_snapshot.hpp"

namespace skein::chare {

/// Forgets parts that the program has ended since the last step, whose indices may be in use again.
/// `objects`: all objects. Call it before a decision is carried out, with equal arguments on all PEs.
void forget_ended_parts(const std::vector<Object>& objects);

/// Splits elements of this PE as decided, before elements move. Returns the new elements, which are still
/// here, each with the PE that it is to go to. Collective.
struct NewElement {
  Element* element;
  int pe;
};
std::vector<NewElement> split_elements(const std::vector<Object>& objects, const lb::Decision& decision);

/// Returns true if merge_elements() or tell_of_parts() has something to do even if nothing moves. Equal on
/// all PEs.
bool parts_change(const std::vector<Object>& objects, const lb::Snapshot& snapshot,
                  const lb::Decision& decision);
/// Merges small parts that the decision has put on one PE. Collective, after elements have moved.
void merge_elements(const std::vector<Object>& objects, const lb::Snapshot& snapshot,
                    const lb::Decision& decision);

/// Calls parts_changed() of the elements here whose parts have changed in the step.
void tell_of_parts();

}  // namespace skein::chare
