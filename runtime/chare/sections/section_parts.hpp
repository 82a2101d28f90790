// SPDX-License-Identifier: Apache-2.0
// The common data of a section's files: its root (section_base.cpp), the tree over its PEs
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
  std::int32_t parent = -1;         ///< PE; at the root the root itself. Negative: this PE is not in the tree
  std::uint32_t members_below = 0;  ///< on this PE and those below it
};
/// A section on the PE that made it.
struct SectionRoot {
  SectionName name;
  std::size_t index_bytes = 0;
  std::vector<std::byte> members;  // their indices, sorted as bytes
  std::vector<int> pe_of;          // where each was last found
  net::PeTree tree;                // of the present version; the PEs of the last are told of its end
  std::uint32_t version = 0;
  std::uint32_t broadcasts = 0;  // of this version
  bool current = false;          // true: the tree matches pe_of

  Bytes member(std::size_t i) const { return Bytes(members).subspan(i * index_bytes, index_bytes); }
};

struct SectionPartKey {
  std::int32_t root;
  std::uint32_t number, version;
  auto operator<=>(const SectionPartKey&) const = default;
};
/// A part of the tree, on this PE.
struct SectionPart : PartOfTree {
  bool laid = false;  ///< false: made only for messages that came before it
  std::vector<int> children;
  std::size_t index_bytes = 0;
  std::vector<std::byte> members;  ///< indices of the members that get broadcasts from this part
  std::uint32_t broadcasts = 0;    ///< received so far
  static constexpr std::uint32_t no_end = ~std::uint32_t{0};
  std::uint32_t last = no_end;  ///< number of broadcasts of this version, once known
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

/// The sections that this PE knows.
struct SectionsHere {
  std::map<std::uint32_t, SectionRoot> roots;  ///< by number, if not released
  std::uint32_t made = 0;                      ///< here: all numbers are below
  std::map<SectionPartKey, SectionPart> parts;
  std::map<SectionReductionKey, SectionReduction> open;        ///< on their way up
  std::map<SectionReductionKey, SectionReduction> incomplete;  ///< at their root
};
extern PerRuntime<SectionsHere> sections_here;

/// Returns the newest part that this PE has.
PartOfTree part_of_tree(const SectionName& section);

/// Returns true if the section, which has its root here, was released.
bool is_released(const SectionName& section);
/// Drops the section's incomplete reductions at its root, as if they had never begun.
void drop_section_reductions(const SectionName& section);

}  // namespace skein::chare
