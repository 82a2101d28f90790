// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives (MPI 4.1, 8.6): each rank sends to its destinations and receives from its
// sources, as the topology of the communicator lists them.
#pragma once

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/comm/topology.hpp"

namespace skein::vmpi {

/// The data for the destinations: one piece for all, or a piece for each. Trivially copyable.
struct ToNeighbours {
  Data same;
  Blocks each;
  bool alike = false;
  Data operator[](int i) const { return alike ? same : each[i]; }
};

/// Runs the whole neighbourhood collective of one rank, in all its forms: called on a fiber of a member, by
/// all members, with checked arguments; may switch, may move. Returns an MPI error class, not raised.
///
/// The first message to a neighbour arrives at the first entry for this rank in that neighbour's list of
/// sources, and so on. On a grid, messages down arrive from above, also if one rank is the neighbour on both
/// sides (MPI 4.1, 8.6).
int run_neighbours(Comm& comm, int tag, const ToNeighbours& outgoing, const Blocks& incoming);

}  // namespace skein::vmpi
