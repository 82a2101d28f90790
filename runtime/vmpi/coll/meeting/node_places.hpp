// SPDX-License-Identifier: Apache-2.0
// The places of an assembly's PEs among the nodes of a job, which bound the rounds across nodes
// (across_nodes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lb/collectives/across_nodes.hpp"

namespace skein::vmpi {

using collectives::RoundKind;

/// The places of the leaders' PEs among the nodes of the job. The same on all PEs, except own_node.
struct NodePlaces {
  struct Place {
    int node;
    int place;  ///< index of the PE among those on its node, ascending
    int pe;
  };
  std::vector<Place> of;       ///< by leader
  std::vector<int> first;      ///< by node: the leader at place 0
  std::vector<int> own_node;   ///< the PEs on this node, by place
  std::size_t most_pes = 0;    ///< on a node
  bool have_all_first = true;  ///< whether the first PE of every node of the job is included

  /// `pes`: by leader.
  explicit NodePlaces(std::span<const int> pes);
  /// Returns true if rounds across nodes can move blocks of up to `longest` bytes.
  bool fits(std::size_t longest, RoundKind kind) const;
};

}  // namespace skein::vmpi
