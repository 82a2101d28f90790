// SPDX-License-Identifier: Apache-2.0
// What moves with an element besides its index, and how: what the runtime knows of it, and the user's
// members.
#pragma once

#include "skein/chare/array_base.hpp"
#include "skein/chare/passage.hpp"

namespace skein::chare {

/// What the runtime packs of it, without turns and control, of which each is told when it is taken.
std::size_t packed_state_size(Element& element);
/// Takes the turns and the control from the element, unless it stays.
void pack_state(Element& element, std::vector<std::byte>& out, pup::Blocks& blocks, bool stays);
void unpack_state(Element& element, pup::Unpacker& ar, pup::Blocks& blocks);
/// What a part has of the element that it is split off, whatever it packs apart.
void copy_state(const Element& element, Element& part);

/// The packed size of all of it: what the runtime keeps, and `object`, the user's.
std::size_t packed_element_size(Element& element, const Passing& object);
/// Packs the whole element. Returns whether it has lent blocks, for which it must be kept.
bool pack_element(Element& element, const Passing& object, std::vector<std::byte>& out, pup::Blocks& blocks,
                  bool stays);
/// `state` is what `ar` is over, to its end. Throws CorruptBuffer.
void unpack_element(Element& element, const Passing& object, pup::Unpacker& ar,
                    std::span<const std::byte> state, pup::Blocks& blocks);

}  // namespace skein::chare
