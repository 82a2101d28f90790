// SPDX-License-Identifier: Apache-2.0
// Which blocking collectives of PEs on several nodes are made node by node: by the runtime, and by the
// simulator that plays it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lb/collectives/thresholds.hpp"

namespace skein::collectives {

/// What a round of such a collective moves.
enum class RoundKind : std::uint8_t {
  one_block,  ///< of one PE for all
  blocks,     ///< of all PEs, for one or all
  combined    ///< what all PEs have, combined
};

/// What stands in front of blocks: the length, which of some only the PE that gives them knows, and what that
/// PE takes the call to be.
struct BlockHead {
  std::uint64_t bytes, said;
};
/// How far apart blocks of so many bytes at most lie side by side: aligned for any type.
constexpr std::size_t framed_block(std::size_t longest) {
  return sizeof(BlockHead) + (longest + 15) / 16 * 16;
}

/// Whether blocks of so many bytes at most can be moved so. `most_pes`: on a node.
constexpr bool fits_across_nodes(std::size_t nodes, std::size_t most_pes, std::size_t longest,
                                 RoundKind kind) {
  switch (kind) {
    case RoundKind::one_block:
      return framed_block(longest) <= kLongestShown;
    case RoundKind::blocks:
      return nodes * most_pes * framed_block(longest) <= kLongestShown;
    case RoundKind::combined:
      break;
  }
  return longest <= kLongestShown && nodes * framed_block(longest) <= kMostCombined;
}

}  // namespace skein::collectives
