// SPDX-License-Identifier: Apache-2.0
// Elements of arrays that are bound together: elements with one index are a family, which is on one PE and is
// created, moved and ended as one. The element of the array that the others are bound to leads it.
//
// Invariant: where an array is known, each leader has an element of it beside it.
#pragma once

#include <cstdint>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Returns the leader of the element's family; the element itself if it is in none.
Element& leader_of(Element& element);

/// Calls f(element) for the leader and all bound to it.
template <class F>
void for_each_of_family(Element& leader, F f) {
  f(leader);
  const Bytes index = leader.array->index_of(leader);
  for (ArrayBase* const array : leader.array->bound) f(*array->element_at(index));
}

/// Takes the family from this PE, unless it moves to this PE, and appends it, packed; it may lend blocks.
void depart_family(Element& leader, int moving_to, std::vector<std::byte>& packed, pup::Blocks& blocks);
/// Return the leader's array, and the home, of a packed family.
ArrayBase& array_of_family(Bytes packed);
int home_of_family(Bytes packed);
/// Unpacks a family off the front of `bytes`, and makes the elements of arrays that the sender did not know.
void arrive_family(Bytes& bytes, pup::Blocks& blocks, ArrayBase::Tell tell);
/// Returns an array that has an element in the packed family and is unknown to this PE; else kNoArray.
std::uint32_t unknown_array(Bytes packed);

/// Ends all elements of the family, and tells the root of reductions.
void end_family(Element& leader);

/// The first reduction and broadcast that an inserted element takes part in; numbers are those of its array.
struct Beginning {
  std::uint32_t array, reduction, broadcast;
};
/// Makes the family of a leader that has been inserted here. Arrays not named were bound later, so that the
/// elements take part in all that they do.
void complete_family(ArrayBase& array, Bytes index, std::span<const Beginning> beginnings);

}  // namespace skein::chare
