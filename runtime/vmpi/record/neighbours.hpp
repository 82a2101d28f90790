// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives as events of a recording: nonblocking messages of a communicator of their own
// (recorded_neighbourhood()), under the tag of the call, and a wait for all of them.
#pragma once

#include "runtime/vmpi/coll/algorithms/neighbours.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// Tells of all messages that the calling rank starts. Returns how many these are.
int record_neighbours(Comm& comm, int tag, const ToNeighbours& outgoing, const Blocks& incoming);
/// The wait for the `messages` that were started last.
trace::Event wait_for_neighbours(int messages);
/// How many messages a call takes.
int messages_of(const Topology& topology);

}  // namespace skein::vmpi
