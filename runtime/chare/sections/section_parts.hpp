// SPDX-License-Identifier: Apache-2.0
// What the parts of a section have to do with each other: its root (section_base.cpp), the tree over its PEs
// (section_parts.cpp), and its reductions (section_base_reductions.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/elements/combine.hpp"
#include "runtime/net/pe_tree.hpp"
#include "skein/chare/section_base.hpp"

namespace skein::chare {

struct PartOfTree {
  std::int32_t parent = -1;         ///< PE; of the root itself. Negative: this PE is not in the tree
  std::uint32_t members_below = 0;  ///< on this PE and those below it
};
/// On the PE that made it.
struct SectionRoot {
  SectionName name;
  std::size_t index_bytes = 0;
  std::vector<std::byte> members;  // their indices, sorted as bytes
  std::vector<int> pe_of;          // where each was last found
  net::PeTree tree;                // of the present version; the PEs of the last are told of its end
  std::uint32_t version = 0;
  std::uint32_t broadcasts = 0;  // of this version
  bool current = false;          // the tree is that of pe_of

  Bytes member(std::size_t i) const { return Bytes(members).subspan(i * index_bytes, index_bytes); }
};

struct SectionPartKey {
  std::int32_t root;
  std::uint32_t number, version;
  auto operator<=>(const SectionPartKey&) const = default;
};
/// Of the tree, on this PE.
struct SectionPart : PartOfTree {
  bool laid = false;  ///< else it was made for what has come before it
  std::vector<int> children;
  std::size_t index_bytes = 0;
  std::vector<std::byte> members;  ///< those to hand broadcasts to here: their indices
  std::uint32_t broadcasts = 0;    ///< had so far
  static constexpr std::uint32_t no_end = ~std::uint32_t{0};
  std::uint32_t last = no_end;  ///< how many there are of this version, once that is known
  std::vector<std::vector<std::byte>> early;
};

struct SectionReductionKey {
  std::int32_t root;
  std::uint32_t section, number;
  auto operator<=>(const SectionReductionKey&) const = default;
};
struct SectionReduction {
  SectionName section;
  OpenReduction reduction;
};

/// What this PE keeps of sections.
struct SectionsHere {
  std::map<std::uint32_t, SectionRoot> roots;  ///< by number: those that are not released
  std::uint32_t made = 0;                      ///< here: their numbers are below
  std::map<SectionPartKey, SectionPart> parts;
  std::map<SectionReductionKey, SectionReduction> open;        ///< on their way up
  std::map<SectionReductionKey, SectionReduction> incomplete;  ///< at their root
};
extern PerRuntime<SectionsHere> sections_here;

/// The newest that this PE has.
PartOfTree part_of_tree(const SectionName& section);

/// Whether the section, which has its root here, was released.
bool is_released(const SectionName& section);
/// At its root: those that are not complete are as if they had never begun.
void drop_section_reductions(const SectionName& section);

}  // namespace skein::chare
