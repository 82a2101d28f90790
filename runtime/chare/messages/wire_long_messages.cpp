// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/messages/wire.hpp"

#include <memory>

#include "runtime/chare/memory/shared_blocks.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/message_counts.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

net::Handler on_bulk, on_shared;
const net::MessageKind bulk_announcement("announcement", on_bulk);
const net::MessageKind shared_announcement("shared-announcement", on_shared);

// ---- in bulk. The announcement is followed by the sizes of the blocks, and by the packed bytes if there is
// room. The rest goes under one tag, so that it keeps its order; only this code uses tags. Both ends hold the
// bytes until the transfers are complete.

struct Announcement {
  Kind kind;
  std::int32_t tag;
  std::uint64_t packed_bytes;
  std::uint32_t blocks;
  std::uint32_t packed_follows;  ///< behind the announcement
};

struct Transfer {
  Kind kind;
  int from_pe;
  std::vector<std::byte> packed;
  pup::Blocks blocks;
  int parts = 0;  ///< under way

  net::Completion completion(void (*call)(std::uint64_t, std::uint64_t)) {
    ++parts;
    return {call, reinterpret_cast<std::uint64_t>(this), 0};
  }
};

/// Returns the transfer once all parts have arrived, else null.
std::unique_ptr<Transfer> complete(std::uint64_t word) {
  auto* const transfer = reinterpret_cast<Transfer*>(word);
  return std::unique_ptr<Transfer>(--transfer->parts == 0 ? transfer : nullptr);
}

void on_sent(std::uint64_t word, std::uint64_t) { complete(word); }
void on_received(std::uint64_t word, std::uint64_t) {
  if (const auto done = complete(word))
    receive_message(done->kind, done->from_pe, done->packed, std::move(done->blocks));
}

void on_bulk(int from_pe, const std::byte* message, std::size_t bytes) {
  Bytes rest{message, bytes};
  const auto announced = unpack_front<Announcement>(rest);
  auto* const incoming = new Transfer{announced.kind, from_pe, {}, {}};
  const Bytes sizes = rest.first(announced.blocks * sizeof(std::uint64_t));
  rest = rest.subspan(sizes.size());
  if (announced.packed_follows) {
    incoming->packed.assign(rest.begin(), rest.end());
  } else {
    incoming->packed.resize(announced.packed_bytes);
    net::bulk_receive(from_pe, announced.tag, incoming->packed.data(), incoming->packed.size(),
                      incoming->completion(on_received));
  }
  for (Bytes left = sizes; !left.empty();) {
    const auto size = static_cast<std::size_t>(unpack_front<std::uint64_t>(left));
    net::bulk_receive(from_pe, announced.tag, incoming->blocks.allocate(size), size,
                      incoming->completion(on_received));
  }
}

void post_in_bulk(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks) {
  const std::size_t packed_bytes = header.size() + rest.size();
  const std::size_t front_bytes = sizeof(Announcement) + blocks.size() * sizeof(std::uint64_t);
  const bool packed_follows = front_bytes + packed_bytes <= net::kLongestMessage;
  const Announcement announcement{kind, net::new_bulk_tag(), packed_bytes,
                                  static_cast<std::uint32_t>(blocks.size()), packed_follows};
  std::vector<std::byte> front;
  front.reserve(packed_follows ? front_bytes + packed_bytes : front_bytes);
  append(front, bytes_of(announcement));
  for (std::size_t i = 0; i < blocks.size(); ++i) append(front, bytes_of(std::uint64_t{blocks[i].bytes}));

  auto* const outgoing = new Transfer{kind, pe, {}, std::move(blocks)};
  std::vector<std::byte>& packed = packed_follows ? front : outgoing->packed;
  packed.reserve(packed.size() + packed_bytes);
  append(packed, header);
  append(packed, rest);
  net::send(pe, bulk_announcement, {front.data(), front.size()});
  if (!packed_follows)
    net::bulk_send(pe, announcement.tag, {packed.data(), packed.size()}, outgoing->completion(on_sent));
  for (std::size_t i = 0; i < outgoing->blocks.size(); ++i)
    net::bulk_send(pe, announcement.tag, {outgoing->blocks[i].data, outgoing->blocks[i].bytes},
                   outgoing->completion(on_sent));
}

// ---- in shared blocks. The announcement is followed by the places of the message's blocks, and by the
// packed bytes or the place of a block that has them.

struct SharedAnnouncement {
  Kind kind;
  std::uint32_t blocks;
  std::uint64_t packed_in_block;  ///< 0: the bytes follow
};
struct SharedBlock {
  std::uint64_t place, bytes;
};

SharedBlock hand_over(const std::byte* data, std::size_t bytes) {
  net::message_counts.bulk.note_sent(bytes);
  return {hand_over_shared(data), bytes};
}
void take_over(Bytes& announced, pup::Blocks& blocks) {
  const auto block = unpack_front<SharedBlock>(announced);
  net::message_counts.bulk.note_received(block.bytes);
  blocks.adopt(take_over_shared(block.place), block.bytes);
}

void on_shared(int from_pe, const std::byte* message, std::size_t bytes) {
  Bytes rest{message, bytes};
  const auto announced = unpack_front<SharedAnnouncement>(rest);
  pup::Blocks blocks, packed;
  for (std::uint32_t i = 0; i < announced.blocks; ++i) take_over(rest, blocks);
  if (announced.packed_in_block > 0) {
    take_over(rest, packed);
    rest = {packed[0].data, packed[0].bytes};
  }
  receive_message(announced.kind, from_pe, rest, std::move(blocks));
}

/// Posts the message in shared blocks. Returns false if there is no room: `blocks` may then have other
/// memory, but the same bytes.
bool post_in_shared(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks& blocks) {
  // The program uses an element until its destructor ends; and as it may stay for long where it goes, its
  // memory must not be that of an earlier PE.
  const bool may_keep = kind != Kind::element && kind != Kind::elements;
  if (!blocks.empty() && !move_to_shared(blocks, may_keep)) return false;
  const std::size_t packed_bytes = header.size() + rest.size();
  const std::size_t front_bytes = sizeof(SharedAnnouncement) + blocks.size() * sizeof(SharedBlock);
  const bool packed_follows = front_bytes + packed_bytes <= net::kLongestMessage;
  std::byte* const packed = packed_follows ? nullptr : allocate_shared(packed_bytes);
  if (!packed_follows && !packed) return false;

  std::vector<std::byte> front;
  front.reserve(front_bytes + (packed_follows ? packed_bytes : sizeof(SharedBlock)));
  append(front, bytes_of(SharedAnnouncement{kind, static_cast<std::uint32_t>(blocks.size()),
                                            packed_follows ? 0 : packed_bytes}));
  for (std::size_t i = 0, size = blocks.size(); i < size; ++i) {
    pup::Blocks::Block block = blocks.next(blocks[i].bytes, 1);
    append(front, bytes_of(hand_over(block.memory.release(), block.bytes)));
  }
  if (packed_follows) {
    append(front, header);
    append(front, rest);
  } else {
    std::ranges::copy(header, packed);
    std::ranges::copy(rest, packed + header.size());
    append(front, bytes_of(hand_over(packed, packed_bytes)));
  }
  net::send(pe, shared_announcement, {front.data(), front.size()});
  return true;
}

}  // namespace

void post_long(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks) {
  if (!shares_blocks_with(pe) || !post_in_shared(pe, kind, header, rest, blocks))
    post_in_bulk(pe, kind, header, rest, std::move(blocks));
}

}  // namespace skein::chare
