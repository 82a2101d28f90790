// SPDX-License-Identifier: Apache-2.0
// What the parts of a section have to do with each other: its root (section_base.cpp), the tree over its PEs
// (section_parts.cpp), and its reductions (section_base_reductions.cpp).
#pragma once

#include <cstdint>

#include "skein/chare/section_base.hpp"

namespace skein::chare {

struct PartOfTree {
  std::int32_t parent = -1;         ///< PE; of the root itself. Negative: this PE is not in the tree
  std::uint32_t members_below = 0;  ///< on this PE and those below it
};
/// The newest that this PE has.
PartOfTree part_of_tree(const SectionName& section);

/// Whether the section, which has its root here, was released.
bool is_released(const SectionName& section);
/// At its root: those that are not complete are as if they had never begun.
void drop_section_reductions(const SectionName& section);

}  // namespace skein::chare
