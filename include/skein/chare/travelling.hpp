// SPDX-License-Identifier: Apache-2.0
// Packs what moves with an element besides its index: the runtime's data and the user's members.
#pragma once

#include "skein/chare/array_base.hpp"
#include "skein/chare/passage.hpp"

namespace skein::chare {

/// Returns the packed size of the runtime's data, without turns and control, whose sizes are known when they
/// are taken.
std::size_t packed_state_size(Element& element);
/// Packs the runtime's data. Takes the turns and the control from the element, unless it stays.
void pack_state(Element& element, std::vector<std::byte>& out, pup::Blocks& blocks, bool stays);
void unpack_state(Element& element, pup::Unpacker& ar, pup::Blocks& blocks);
/// Copies the runtime's data to a part that is split off, without turns and control.
void copy_state(const Element& element, Element& part);

/// Returns the packed size of all of the element: the runtime's data, and `object`, the user's.
std::size_t packed_element_size(Element& element, const Passing& object);
/// Packs the whole element. Returns true if it has lent blocks, for which it must be kept.
bool pack_element(Element& element, const Passing& object, std::vector<std::byte>& out, pup::Blocks& blocks,
                  bool stays);
/// Unpacks an element. `ar` reads `state`, to its end. Throws CorruptBuffer.
void unpack_element(Element& element, const Passing& object, pup::Unpacker& ar,
                    std::span<const std::byte> state, pup::Blocks& blocks);

}  // namespace skein::chare
