// SPDX-License-Identifier: Apache-2.0
// What moves with an element besides its index, and how: what the runtime knows of it, and the user's
// members.
#pragma once

#include "skein/chare/array_base.hpp"
#include "skein/chare/packing_mistakes.hpp"
#include "skein/pup.hpp"

namespace skein::chare {

/// What the runtime packs of it, without turns and control, of which each is told when it is taken.
std::size_t packed_state_size(Element& element);
/// Takes the turns and the control from the element.
void pack_state(Element& element, std::vector<std::byte>& out, pup::Blocks& blocks);
void unpack_state(Element& element, pup::Unpacker& ar, pup::Blocks& blocks);
/// What a part has of the element that it is split off, whatever it packs apart.
void copy_state(const Element& element, Element& part);

template <class T>
std::size_t packed_element_size(Element& element, T& object) {
  pup::Sizer ar;
  pup::process(ar, object);
  return packed_state_size(element) + ar.offset();
}

/// As pack_state(). Whether the element has lent blocks, for which it must be kept.
template <class T>
bool pack_element(Element& element, T& object, std::vector<std::byte>& out, pup::Blocks& blocks) {
  pack_state(element, out, blocks);
  const std::size_t blocks_before = blocks.size();
  pup::append_packed(out, blocks, object);
  return blocks.size() > blocks_before;
}

/// `state` is what `ar` is over, to its end.
template <class T>
void unpack_element(Element& element, T& object, pup::Unpacker& ar, std::span<const std::byte> state,
                    pup::Blocks& blocks) {
  unpack_state(element, ar, blocks);
  const auto members = state.subspan(ar.offset());
  const bool without_blocks = blocks.empty();
  try {
    pup::process(ar, object);
    ar.expect_end();
  } catch (const CorruptBuffer& error) {
    throw CorruptBuffer(error.what() + (without_blocks ? packing_mistake(object, members) : ""));
  }
}

}  // namespace skein::chare
