// SPDX-License-Identifier: Apache-2.0
// What reductions over sections know of their trees.
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

/// Sets the receiver.
void start_section_reductions();

}  // namespace skein::chare
