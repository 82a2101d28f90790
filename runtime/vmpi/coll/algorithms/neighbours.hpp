// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives (MPI 4.1, 8.6): each rank sends to its destinations and receives from its
// sources, as the topology of the communicator lists them.
#pragma once

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/comm/topology.hpp"

namespace skein::vmpi {

/// What goes to the destinations: one piece for all, or a piece for each. Trivially copyable.
struct ToNeighbours {
  Data same;
  Blocks each;
  bool alike = false;
  Data operator[](int i) const { return alike ? same : each[i]; }
};

/// The whole collective of one rank, in all its forms: called on a fiber of a member by all members, with
/// arguments that were checked; may switch, may move. Returns an MPI error class, not raised.
///
/// What is sent first to a neighbour comes to its first entry for this rank in the list of its sources, and
/// so on. On a grid what goes down comes from above, also where one rank is both (MPI 4.1, 8.6).
int run_neighbours(Comm& comm, int tag, const ToNeighbours& outgoing, const Blocks& incoming);

}  // namespace skein::vmpi
