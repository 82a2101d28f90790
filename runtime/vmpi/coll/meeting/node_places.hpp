// SPDX-License-Identifier: Apache-2.0
// Where the PEs of an assembly are among the nodes of a job, and what they can move across these by rounds
// (across_nodes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lb/collectives/across_nodes.hpp"

namespace skein::vmpi {

using collectives::RoundKind;

/// Where the PEs of the leaders of an assembly are among the nodes of the job. The same on all PEs, but for
/// own_node.
struct NodePlaces {
  struct Place {
    int node;
    int place;  ///< of the PE among those on its node, ascending
    int pe;
  };
  std::vector<Place> of;       ///< by leader
  std::vector<int> first;      ///< by node: the leader at place 0
  std::vector<int> own_node;   ///< the PEs on this one, by place
  std::size_t most_pes = 0;    ///< on a node
  bool have_all_first = true;  ///< whether the first PE of every node of the job is among them

  /// `pes`: by leader.
  explicit NodePlaces(std::span<const int> pes);
  /// Whether blocks of so many bytes at most can be moved so.
  bool fits(std::size_t longest, RoundKind kind) const;
};

}  // namespace skein::vmpi
