// SPDX-License-Identifier: Apache-2.0
// The parts of sections' trees on this PE: messages down the tree.
#include "runtime/chare/sections/section_parts.hpp"

#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/sections/section_messages.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

SectionPartKey part_key(const SectionName& section, std::uint32_t version) {
  return {section.root, section.number, version};
}

void hand_out(SectionPart& part, const SectionBroadcastHeader& header, Bytes message, Bytes arguments) {
  ++part.broadcasts;
  for (const int child : part.children) post(child, Kind::section_broadcast, message);
  ArrayBase& array = array_number(header.section.array);
  const EntryInfo& entry = entry_number(header.entry);
  for_each_member(part.members, part.index_bytes, [&](Bytes index) {
    const int pe = array.believed_pe(index);
    if (pe != net::world.pe)
      post(header.section.root, Kind::section_moved, bytes_of(MovedHeader{header.section, pe}), index);
    array.receive(index, {&entry, net::world.pe, arguments});
  });
}

void forget_if_done(const SectionPartKey& key) {
  const auto part = sections_here->parts.find(key);
  if (part->second.laid && part->second.broadcasts == part->second.last) sections_here->parts.erase(part);
}

void on_broadcast(int, Bytes message) {
  Bytes arguments = message;
  const auto header = unpack_front<SectionBroadcastHeader>(arguments);
  const SectionPartKey key = part_key(header.section, header.version);
  SectionPart& part = sections_here->parts[key];
  if (!part.laid) {
    part.early.emplace_back(message.begin(), message.end());
    return;
  }
  hand_out(part, header, message, arguments);
  forget_if_done(key);
}

void on_part(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = unpack_front<PartHeader>(rest);
  if (!await_array(on_part, from_pe, header.section.array, message)) return;
  const SectionPartKey key = part_key(header.section, header.version);
  SectionPart& part = sections_here->parts[key];
  part.laid = true;
  part.parent = header.parent;
  part.members_below = header.members_below;
  part.index_bytes = header.index_bytes;
  for (std::uint32_t i = 0; i < header.children; ++i)
    part.children.push_back(unpack_front<std::int32_t>(rest));
  part.members.assign(rest.begin(), rest.end());
  for (const std::vector<std::byte>& each : std::exchange(part.early, {})) {
    Bytes arguments = each;
    const auto broadcast = unpack_front<SectionBroadcastHeader>(arguments);
    hand_out(part, broadcast, each, arguments);
  }
  forget_if_done(key);
}

void on_close(int, Bytes message) {
  const auto header = unpack_front<CloseHeader>(message);
  const SectionPartKey key = part_key(header.section, header.version);
  sections_here->parts[key].last = header.broadcasts;
  forget_if_done(key);
}

const Receives laid(Kind::section_part, on_part);
const Receives closed(Kind::section_close, on_close);
const Receives broadcasts(Kind::section_broadcast, on_broadcast);

}  // namespace

PartOfTree part_of_tree(const SectionName& section) {
  auto after = sections_here->parts.upper_bound(part_key(section, ~std::uint32_t{0}));
  while (after != sections_here->parts.begin()) {
    --after;
    if (after->first.root != section.root || after->first.number != section.number) break;
    if (after->second.laid) return after->second;
  }
  return {};
}

}  // namespace skein::chare
