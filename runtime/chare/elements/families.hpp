// SPDX-License-Identifier: Apache-2.0
// Elements of arrays that are bound together: those with one index are a family, which is on one PE and
// comes, moves and goes as one. The element of the array that the others are bound to leads it.
//
// Invariant: where an array is known, there is an element of it beside each leader.
#pragma once

#include <cstdint>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// That of the element's family; the element itself if it is in none.
Element& leader_of(Element& element);

/// Calls f(element) for the leader and all bound to it.
template <class F>
void for_each_of_family(Element& leader, F f) {
  f(leader);
  const Bytes index = leader.array->index_of(leader);
  for (ArrayBase* const array : leader.array->bound) f(*array->element_at(index));
}

/// Takes the family from this PE and appends it, packed; it may lend blocks. Where it moves to this PE it
/// stays.
void depart_family(Element& leader, int moving_to, std::vector<std::byte>& packed, pup::Blocks& blocks);
/// Of a packed family.
ArrayBase& array_of_family(Bytes packed);
int home_of_family(Bytes packed);
/// Unpacks a family off the front of `bytes`, and makes the elements of arrays that the sender did not know.
void arrive_family(Bytes& bytes, pup::Blocks& blocks, ArrayBase::Tell tell);
/// An array that `packed`, of one family, has an element of and that this PE does not know; else no_array.
std::uint32_t unknown_array(Bytes packed);

/// Ends all elements of the family, and tells the root of reductions.
void end_family(Element& leader);

/// What an element that is inserted takes part in from: the numbers are those of its array.
struct Beginning {
  std::uint32_t array, reduction, broadcast;
};
/// A leader has been inserted here: makes its family. The arrays not named were bound to its own later, so
/// that it takes part in all that they do.
void complete_family(ArrayBase& array, Bytes index, std::span<const Beginning> beginnings);

}  // namespace skein::chare
