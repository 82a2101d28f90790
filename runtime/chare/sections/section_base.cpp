// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/sections/sections.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/sections/section_messages.hpp"
#include "runtime/chare/sections/section_parts.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/entry.hpp"

namespace skein::chare {

PerRuntime<SectionsHere> sections_here;

namespace {

/// Returns the root's data, or null if the section was released.
SectionRoot* root_of(const SectionName& section) {
  SKEIN_CHECK(section.root == net::world.pe && section.number < sections_here->made, "no section %d.%u here",
              section.root, section.number);
  const auto root = sections_here->roots.find(section.number);
  return root == sections_here->roots.end() ? nullptr : &root->second;
}

void close_version(const SectionRoot& root) {
  const CloseHeader header{root.name, root.version, root.broadcasts};
  for (const int pe : root.tree.pes) post(pe, Kind::section_close, bytes_of(header));
}

void lay_tree(SectionRoot& root) {
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
  root.tree = net::make_pe_tree(net::world.pe, pes, net::world.node_of);

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

void broadcast(SectionRoot& root, std::uint32_t entry, Bytes arguments) {
  if (!root.current) lay_tree(root);
  ++root.broadcasts;
  post(net::world.pe, Kind::section_broadcast,
       bytes_of(SectionBroadcastHeader{root.name, root.version, entry}), arguments);
}

void on_broadcast_wish(int, Bytes message) {
  const auto header = unpack_front<SectionBroadcastHeader>(message);
  if (SectionRoot* const root = root_of(header.section)) broadcast(*root, header.entry, message);
}

// ---- release. Members forget their count of contributions, wherever they are, by a call that reaches them
// like the last broadcast. A member that contributes later begins to count again, for a reduction that the
// root drops.

using ForgetArguments = std::tuple<SectionName>;
const EntryInfo forget_entry(
    [] {
      CallFunctions calls = plain_calls;
      calls.for_existing_only = true;
      return calls;
    }(),
    arguments_info<ForgetArguments>,
    [](Element& element, void* arguments) {
      const auto& [section] = *static_cast<ForgetArguments*>(arguments);
      if (!element.rare().section_contributions) return;
      auto& contributions = element.rare_made().section_contributions;
      contributions->erase({section.root, section.number});
      if (contributions->empty()) contributions.reset();
    },
    "the end of a section");

void on_release(int, Bytes message) {
  const auto name = unpack_front<SectionName>(message);
  SectionRoot* const root = root_of(name);
  if (!root) return;
  if (name.members > 0) {
    broadcast(*root, forget_entry.number, pack(ForgetArguments(name)));
    close_version(*root);
  }
  drop_section_reductions(name);
  sections_here->roots.erase(name.number);
}

void learn(SectionRoot& root, Bytes index, int pe) {
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
  const auto header = unpack_front<MovedHeader>(message);
  if (SectionRoot* const root = root_of(header.section)) learn(*root, message, header.pe);
}

/// Returns the indices sorted, without duplicates.
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

const Receives broadcast_wishes(Kind::section_broadcast_wish, on_broadcast_wish);
const Receives moves(Kind::section_moved, on_moved);
const Receives releases(Kind::section_release, on_release);

}  // namespace

SectionName create_section(std::uint32_t array, std::vector<std::byte> indices, std::size_t index_bytes) {
  SectionRoot root;
  root.index_bytes = index_bytes;
  root.members = unique_indices(indices, index_bytes);
  const ArrayBase& the_array = array_number(array);
  for_each_member(root.members, index_bytes, [&](Bytes index) {
    root.pe_of.push_back(the_array.believed_pe(index));
    if (root.pe_of.back() < 0)
      fail("a section of " + the_array.name() + " is to have " + the_array.name() + the_array.text(index) +
           ", which is outside the array");
  });
  const SectionName name{net::world.pe, sections_here->made++, array,
                         static_cast<std::uint32_t>(root.pe_of.size())};
  root.name = name;
  if (!settings.running_again) sections_here->roots.emplace(name.number, std::move(root));
  return name;
}

void release_section(const SectionName& section) {
  check_section(section);
  post(section.root, Kind::section_release, bytes_of(section));
}

bool any_section() { return !sections_here->roots.empty(); }

void check_section(const SectionName& section) { (void)known_array(section.array); }

bool is_released(const SectionName& section) { return !root_of(section); }

void broadcast_to_section(const SectionName& section, const EntryInfo& entry, Bytes arguments) {
  if (section.members == 0) return;
  check_section(section);
  post(section.root, Kind::section_broadcast_wish, bytes_of(SectionBroadcastHeader{section, 0, entry.number}),
       arguments);
}

void tell_sections(std::uint32_t array, Bytes index, int pe) {
  for (auto& [number, root] : sections_here->roots)
    if (root.name.array == array) learn(root, index, pe);
}

}  // namespace skein::chare
