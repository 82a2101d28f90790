// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/record/collectives.hpp"

#include <algorithm>
#include <numeric>

namespace skein::vmpi {
namespace {

void record_one(Comm& comm, trace::EventKind kind, int peer, int tag, std::uint64_t bytes) {
  if (peer == MPI_PROC_NULL) return;
  trace::Event event;
  event.kind = kind;
  event.starts_request = true;
  event.communicator = recorded_neighbourhood(comm);
  event.partner = comm.world_rank(peer);
  event.tag = tag;
  event.bytes = bytes;
  trace::Stream& stream = stream_of(current_state());
  stream.end_burst(event, place_of(CallKind::start, peer, static_cast<int>(kind)));
  stream.number_request();
  stream.add(event);
}

}  // namespace

int messages_of(const Topology& topology) {
  const auto there = [](const std::pmr::vector<int>& ranks) {
    return ranks.size() -
           static_cast<std::size_t>(std::ranges::count(ranks, static_cast<int>(MPI_PROC_NULL)));
  };
  return static_cast<int>(there(topology.sources) + there(topology.destinations));
}

int record_neighbours(Comm& comm, int tag, const ToNeighbours& outgoing, const Blocks& incoming) {
  const Topology& topology = *comm.topology;
  // The order of run_neighbours().
  const std::size_t other_way = topology.kind == TopologyKind::cartesian ? 1 : 0;
  for (std::size_t i = 0; i < topology.sources.size(); ++i) {
    const std::size_t from = i ^ other_way;
    record_one(comm, trace::EventKind::receive, topology.sources[from], tag,
               incoming[static_cast<int>(from)].bytes);
  }
  for (std::size_t to = 0; to < topology.destinations.size(); ++to)
    record_one(comm, trace::EventKind::send, topology.destinations[to], tag,
               outgoing[static_cast<int>(to)].bytes);
  return messages_of(topology);
}

trace::Event wait_for_neighbours(int messages) {
  const std::span<std::uint64_t> numbers = list_of_event(static_cast<std::size_t>(messages));
  std::iota(numbers.rbegin(), numbers.rend(), std::uint64_t{0});
  trace::Event event;
  event.kind = trace::EventKind::wait;
  event.list = numbers;
  return event;
}

}  // namespace skein::vmpi
