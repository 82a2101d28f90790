// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/passage.hpp"

#include "skein/chare/packing_mistakes.hpp"

namespace skein::chare {
namespace {

template <class RoomFor>
void pack_all(const Passing& value, pup::Blocks& blocks, RoomFor room_for) {
  pup::Sizer sizer(blocks);
  value.measure(sizer);
  pup::Packer packer(room_for(sizer.offset()), blocks);
  value.pack(packer);
}

}  // namespace

void Passing::pack_into(pup::Room& room, pup::Blocks& blocks) const {
  pack_all(*this, blocks, [&](std::size_t bytes) { return room.make(bytes); });
}

void Passing::append_to(std::vector<std::byte>& out, pup::Blocks& blocks) const {
  pack_all(*this, blocks, [&](std::size_t more) {
    const std::size_t before = out.size();
    out.resize(before + more);
    return std::span<std::byte>(out).subspan(before);
  });
}

void Passing::unpack_all(std::span<const std::byte> bytes, pup::Blocks& blocks) const {
  const bool without_blocks = blocks.empty();
  try {
    pup::Unpacker ar(bytes, blocks);
    unpack(ar);
    ar.expect_end();
  } catch (const CorruptBuffer& error) {
    throw CorruptBuffer(error.what() + (without_blocks ? packing_mistake(*this, bytes) : ""));
  }
}

}  // namespace skein::chare
