// SPDX-License-Identifier: Apache-2.0
// Which PE this is, and which PEs share memory.
#pragma once

#include <limits>
#include <vector>

namespace skein::net {

/// Which PE this is, and who shares memory with whom. Constant from start() to finish().
struct World {
  int pe = 0;
  int pes = 1;
  int node = 0;  ///< nodes are numbered in the order of their lowest PE
  int nodes = 1;
  int node_pe = 0;            ///< place of this PE among those of its node
  std::vector<int> node_of;   ///< of every PE
  std::vector<int> node_pes;  ///< the PEs of this node, ascending
  int machine_pe = 0;         ///< place of this PE among those of its machine, of which a node may be a part
  int machine_pes = 1;
  /// Traffic between so many of the first PEs is counted apart (count_apart() in transport.hpp).
  int pes_apart = std::numeric_limits<int>::max();
  int pes_per_core = 1;  ///< rounded up, of the node where they are most: the same on all PEs
  bool shares_cores() const { return pes_per_core > 1; }
};
extern World world;
/// Whether traffic with that PE is not counted apart.
inline bool is_other(int pe) { return pe >= world.pes_apart; }

/// How many PEs of a machine at a time are to be a node, as the variable SKEIN_PES_PER_NODE says; 0: all.
/// Throws skein::Error where that is no such number. Callable from anywhere.
int asked_pes_per_node();

/// What the world says of nodes, once it knows its PEs. For transport.cpp alone: collective, by the MPI
/// underneath; throws as above.
void learn_nodes();

}  // namespace skein::net
