// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/algorithms/neighbours.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInExchange = "in a neighbourhood collective, for rank %d of its communicator";

}  // namespace

int run_neighbours(Comm& comm, int tag, const ToNeighbours& outgoing, const Blocks& incoming) {
  const Topology& topology = *comm.topology;
  Channel channel(comm, tag, kInExchange);
  Batch batch(channel, topology.sources.size() + topology.destinations.size());
  // Messages of one pair arrive in the order in which they are sent: down first. So the receive from above is
  // posted first.
  const std::size_t other_way = topology.kind == TopologyKind::cartesian ? 1 : 0;
  for (std::size_t i = 0; i < topology.sources.size(); ++i) {
    const std::size_t from = i ^ other_way;
    if (topology.sources[from] != MPI_PROC_NULL)
      batch.receive(topology.sources[from], incoming[static_cast<int>(from)]);
  }
  for (std::size_t to = 0; to < topology.destinations.size(); ++to)
    if (topology.destinations[to] != MPI_PROC_NULL)
      batch.send(topology.destinations[to], outgoing[static_cast<int>(to)]);
  batch.wait();
  return channel.error();
}

}  // namespace skein::vmpi
