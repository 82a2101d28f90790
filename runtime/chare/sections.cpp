// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/sections.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "runtime/base/check.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/pe_tree.hpp"
#include "runtime/chare/section_parts.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

// ---- messages

struct PartHeader {
  SectionName section;
  std::uint32_t version, children, members_below, index_bytes;
  std::int32_t parent;
  std::uint32_t unused = 0;
};
struct CloseHeader {
  SectionName section;
  std::uint32_t version, broadcasts;
};
struct BroadcastHeader {
  SectionName section;
  std::uint32_t version, entry;
};
struct MovedHeader {
  SectionName section;
  std::int32_t pe;
  std::uint32_t unused = 0;
};

// ---- parts

struct PartKey {
  std::int32_t root;
  std::uint32_t number, version;
  auto operator<=>(const PartKey&) const = default;
};
PartKey key_of(const SectionName& section, std::uint32_t version) {
  return {section.root, section.number, version};
}

constexpr std::uint32_t no_end = ~std::uint32_t{0};

struct Part : PartOfTree {
  bool laid = false;  ///< else it was made for what has come before it
  std::vector<int> children;
  std::size_t index_bytes = 0;
  std::vector<std::byte> members;  ///< those to hand broadcasts to here: their indices
  std::uint32_t broadcasts = 0;    ///< had so far
  std::uint32_t last = no_end;     ///< how many there are of this version, once that is known
  std::vector<std::vector<std::byte>> early;
};
std::map<PartKey, Part> parts;

template <class F>
void for_each_member(Bytes members, std::size_t index_bytes, F f) {
  for (; !members.empty(); members = members.subspan(index_bytes)) f(members.first(index_bytes));
}

void hand_out(Part& part, const BroadcastHeader& header, Bytes message, Bytes arguments) {
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

void forget_if_done(const PartKey& key) {
  const auto part = parts.find(key);
  if (part->second.laid && part->second.broadcasts == part->second.last) parts.erase(part);
}

void on_broadcast(int, Bytes message) {
  Bytes arguments = message;
  const auto header = take<BroadcastHeader>(arguments);
  const PartKey key = key_of(header.section, header.version);
  Part& part = parts[key];
  if (!part.laid) {
    part.early.emplace_back(message.begin(), message.end());
    return;
  }
  hand_out(part, header, message, arguments);
  forget_if_done(key);
}

void on_part(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = take<PartHeader>(rest);
  if (!await_array(on_part, from_pe, header.section.array, message)) return;
  const PartKey key = key_of(header.section, header.version);
  Part& part = parts[key];
  part.laid = true;
  part.parent = header.parent;
  part.members_below = header.members_below;
  part.index_bytes = header.index_bytes;
  for (std::uint32_t i = 0; i < header.children; ++i) part.children.push_back(take<std::int32_t>(rest));
  part.members.assign(rest.begin(), rest.end());
  for (const std::vector<std::byte>& each : std::exchange(part.early, {})) {
    Bytes arguments = each;
    const auto broadcast = take<BroadcastHeader>(arguments);
    hand_out(part, broadcast, each, arguments);
  }
  forget_if_done(key);
}

void on_close(int, Bytes message) {
  const auto header = take<CloseHeader>(message);
  const PartKey key = key_of(header.section, header.version);
  parts[key].last = header.broadcasts;
  forget_if_done(key);
}

// ---- roots

struct Root {
  SectionName name;
  std::size_t index_bytes = 0;
  std::vector<std::byte> members;  // their indices, sorted as bytes
  std::vector<int> pe_of;          // where each was last found
  PeTree tree;                     // of the present version; the PEs of the last are told of its end
  std::uint32_t version = 0;
  std::uint32_t broadcasts = 0;  // of this version
  bool current = false;          // the tree is that of pe_of

  Bytes member(std::size_t i) const { return Bytes(members).subspan(i * index_bytes, index_bytes); }
};
std::vector<std::unique_ptr<Root>> roots;  // by number

Root& root_of(const SectionName& section) {
  SKEIN_CHECK(section.root == net::world.pe && section.number < roots.size(), "no section %d.%u here",
              section.root, section.number);
  return *roots[section.number];
}

void close_version(const Root& root) {
  const CloseHeader header{root.name, root.version, root.broadcasts};
  for (const int pe : root.tree.pes) post(pe, Kind::section_close, bytes_of(header));
}

void lay_tree(Root& root) {
  if (root.version > 0) close_version(root);
  ++root.version;
  root.broadcasts = 0;
  root.current = true;

  std::map<int, std::vector<std::byte>> members_on;
  for (std::size_t i = 0; i < root.pe_of.size(); ++i) {
    std::vector<std::byte>& there = members_on[root.pe_of[i]];
    const Bytes index = root.member(i);
    there.insert(there.end(), index.begin(), index.end());
  }
  std::vector<int> pes;
  for (const auto& [pe, members] : members_on) pes.push_back(pe);
  root.tree = make_pe_tree(net::world.pe, pes, net::world.node_of);

  const std::size_t size = root.tree.pes.size();
  std::vector<std::vector<std::int32_t>> children(size);
  std::vector<std::uint32_t> below(size);
  for (std::size_t i = size; i-- > 0;) {
    below[i] += static_cast<std::uint32_t>(members_on[root.tree.pes[i]].size() / root.index_bytes);
    if (i == 0) break;
    below[root.tree.parent[i]] += below[i];
    children[root.tree.parent[i]].push_back(root.tree.pes[i]);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const PartHeader header{root.name,
                            root.version,
                            static_cast<std::uint32_t>(children[i].size()),
                            below[i],
                            static_cast<std::uint32_t>(root.index_bytes),
                            root.tree.pes[root.tree.parent[i]]};
    const std::vector<std::byte>& members = members_on[root.tree.pes[i]];
    std::vector<std::byte> rest(children[i].size() * sizeof(std::int32_t));
    if (!rest.empty()) memcpy(rest.data(), children[i].data(), rest.size());
    rest.insert(rest.end(), members.begin(), members.end());
    post(root.tree.pes[i], Kind::section_part, bytes_of(header), rest);
  }
}

void on_broadcast_wish(int, Bytes message) {
  auto header = take<BroadcastHeader>(message);
  Root& root = root_of(header.section);
  if (!root.current) lay_tree(root);
  ++root.broadcasts;
  header.version = root.version;
  post(net::world.pe, Kind::section_broadcast, bytes_of(header), message);
}

void learn(Root& root, Bytes index, int pe) {
  const auto compare = [&](std::size_t i) {
    return memcmp(root.member(i).data(), index.data(), root.index_bytes);
  };
  std::size_t first = 0, end = root.pe_of.size();
  while (first < end) {
    const std::size_t middle = (first + end) / 2;
    (compare(middle) < 0 ? first : end) = compare(middle) < 0 ? middle + 1 : middle;
  }
  if (first == root.pe_of.size() || compare(first) != 0 || root.pe_of[first] == pe) return;
  root.pe_of[first] = pe;
  root.current = false;
}

void on_moved(int, Bytes message) {
  const auto header = take<MovedHeader>(message);
  learn(root_of(header.section), message, header.pe);
}

/// Sorted, each once.
std::vector<std::byte> unique_indices(const std::vector<std::byte>& indices, std::size_t index_bytes) {
  std::vector<Bytes> all;
  for_each_member(indices, index_bytes, [&](Bytes index) { all.push_back(index); });
  const auto compare = [&](Bytes a, Bytes b) { return memcmp(a.data(), b.data(), index_bytes); };
  std::ranges::sort(all, [&](Bytes a, Bytes b) { return compare(a, b) < 0; });
  all.erase(std::unique(all.begin(), all.end(), [&](Bytes a, Bytes b) { return compare(a, b) == 0; }),
            all.end());
  std::vector<std::byte> sorted;
  for (const Bytes index : all) sorted.insert(sorted.end(), index.begin(), index.end());
  return sorted;
}

}  // namespace

void start_sections() {
  set_receiver(Kind::section_part, on_part);
  set_receiver(Kind::section_close, on_close);
  set_receiver(Kind::section_broadcast_wish, on_broadcast_wish);
  set_receiver(Kind::section_broadcast, on_broadcast);
  set_receiver(Kind::section_moved, on_moved);
  start_section_reductions();
}

SectionName create_section(std::uint32_t array, std::vector<std::byte> indices, std::size_t index_bytes) {
  auto root = std::make_unique<Root>();
  root->index_bytes = index_bytes;
  root->members = unique_indices(indices, index_bytes);
  const ArrayBase& the_array = array_number(array);
  for_each_member(root->members, index_bytes, [&](Bytes index) {
    root->pe_of.push_back(the_array.believed_pe(index));
    if (root->pe_of.back() < 0)
      fail("a section of " + the_array.name() + " is to have " + the_array.name() + the_array.text(index) +
           ", which is outside the array");
  });
  root->name = {net::world.pe, static_cast<std::uint32_t>(roots.size()), array,
                static_cast<std::uint32_t>(root->pe_of.size())};
  roots.push_back(std::move(root));
  return roots.back()->name;
}

void broadcast_to_section(const SectionName& section, const EntryInfo& entry, Bytes arguments) {
  if (section.members == 0) return;
  post(section.root, Kind::section_broadcast_wish, bytes_of(BroadcastHeader{section, 0, entry.number}),
       arguments);
}

void tell_sections(std::uint32_t array, Bytes index, int pe) {
  for (const std::unique_ptr<Root>& root : roots)
    if (root->name.array == array) learn(*root, index, pe);
}

PartOfTree part_of_tree(const SectionName& section) {
  auto after = parts.upper_bound(key_of(section, ~std::uint32_t{0}));
  while (after != parts.begin()) {
    --after;
    if (after->first.root != section.root || after->first.number != section.number) break;
    if (after->second.laid) return after->second;
  }
  return {};
}

}  // namespace skein::chare
