// SPDX-License-Identifier: Apache-2.0
// Decides which blocking collectives of PEs on several nodes are made node by node, for the runtime and for
// the simulator.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lb/collectives/thresholds.hpp"

namespace skein::collectives {

/// The data that a round of such a collective moves.
enum class RoundKind : std::uint8_t {
  one_block,  ///< of one PE for all
  blocks,     ///< of all PEs, for one or all
  combined    ///< the combination of all PEs' data
};

/// The head of a block: its length, which for some collectives only the sender knows, and the sender's idea
/// of the call, which the receiver compares with its own.
struct BlockHead {
  std::uint64_t bytes, said;
};
/// Returns the distance of adjacent blocks of at most `longest` bytes: aligned for any type.
constexpr std::size_t framed_block(std::size_t longest) {
  return sizeof(BlockHead) + (longest + 15) / 16 * 16;
}

/// Returns true if blocks of at most `longest` bytes can be moved in this way. `most_pes`: of a node.
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
