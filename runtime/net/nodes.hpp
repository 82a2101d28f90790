// SPDX-License-Identifier: Apache-2.0
// This PE's number, and which PEs share memory.
#pragma once

#include <limits>
#include <vector>

namespace skein::net {

/// The PEs of the job, and how they share memory. Constant from start() to finish().
struct World {
  int pe = 0;
  int pes = 1;
  int node = 0;  ///< nodes are numbered in the order of their lowest PE
  int nodes = 1;
  int node_pe = 0;            ///< place of this PE among those of its node
  std::vector<int> node_of;   ///< of every PE
  std::vector<int> node_pes;  ///< the PEs of this node, ascending
  int machine_pe = 0;         ///< place of this PE among those of its machine, which may be several nodes
  int machine_pes = 1;
  /// Traffic between so many of the first PEs is counted apart (count_apart() in transport.hpp).
  int pes_apart = std::numeric_limits<int>::max();
  int pes_per_core = 1;  ///< rounded up, of the node with the most: the same on all PEs
  bool shares_cores() const { return pes_per_core > 1; }
};
extern World world;
/// Returns true if that PE is not among those whose traffic is counted apart.
inline bool is_other(int pe) { return pe >= world.pes_apart; }

/// Returns how many PEs of a machine make a node, as the variable SKEIN_PES_PER_NODE says; 0: all. Throws
/// skein::Error if its value is no valid number. Callable from anywhere.
int asked_pes_per_node();

/// Fills in the world's nodes, once it knows its PEs. For transport.cpp alone: collective, by the MPI
/// underneath. Throws like asked_pes_per_node().
void learn_nodes();

}  // namespace skein::net
