// SPDX-License-Identifier: Apache-2.0
// Elements that are divided: strategies that cut objects decide what part of which element goes where; the LB
// step has the element split, gives the part an index of its own, and merges parts again when they have come
// together and are small. All PEs know which elements are divided into what.
//
// A part is an element like any other. Where the one it comes from stands - sync points, broadcasts,
// reductions - it stands too.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/chare/balance/element_snapshot.hpp"

namespace skein::chare {

/// Parts together with at most so much of the load of a PE, at its perfect finish, are merged where they
/// meet.
inline constexpr double kLargestMerged = 0.25;

/// Elements that the program has ended since the last step are parts of nothing any more: an index may have
/// been given anew. `objects`: all there are. To be called before a decision is carried out, with the same on
/// all PEs.
void forget_ended_parts(const std::vector<Object>& objects);

/// Splits elements of this PE as decided. Collective. Before elements move, so the new ones are here still:
/// each with the PE that it is to go to.
struct NewElement {
  Element* element;
  int pe;
};
std::vector<NewElement> split_elements(const std::vector<Object>& objects, const lb::Decision& decision);

/// Whether there is something to do for merge_elements() or tell_of_parts() whatever moves. The same on all
/// PEs.
bool parts_change(const std::vector<Object>& objects, const lb::Snapshot& snapshot,
                  const lb::Decision& decision);
/// Merges parts that the decision has on one PE, if they are small. Collective, after elements have moved.
void merge_elements(const std::vector<Object>& objects, const lb::Snapshot& snapshot,
                    const lb::Decision& decision);

/// Calls the parts_changed() of the elements here whose parts are others than before the step.
void tell_of_parts();

}  // namespace skein::chare
