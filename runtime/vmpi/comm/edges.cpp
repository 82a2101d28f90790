// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/edges.hpp"

#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"

namespace skein::vmpi {
namespace {

/// One end of an edge, for the rank at that end.
struct End {
  int leads_away;  ///< it begins here
  int other;
  int weight;
};
constexpr int kIntsOfEnd = sizeof(End) / sizeof(int);
static_assert(sizeof(End) == kIntsOfEnd * sizeof(int));

/// Returns the start of each rank's part, and after the last one the end of all.
std::vector<int> starts_of(const std::vector<int>& counts) {
  std::vector<int> starts(counts.size() + 1);
  for (std::size_t i = 0; i < counts.size(); ++i) starts[i + 1] = starts[i] + counts[i];
  return starts;
}

Blocks ints_by_rank(void* buffer, const std::vector<int>& counts, const std::vector<int>& starts) {
  Blocks blocks;
  blocks.buffer = buffer;
  blocks.type = predefined_datatype(MPI_INT);
  blocks.counts = Numbers(counts.data());
  blocks.displacements = Numbers(starts.data());
  return blocks;
}

Blocks one_int_each(std::vector<int>& values) {
  Blocks blocks;
  blocks.buffer = values.data();
  blocks.type = predefined_datatype(MPI_INT);
  blocks.count = 1;
  return blocks;
}

/// Returns both ends of each edge, sorted by the rank at that end.
std::vector<End> sorted_by_rank(std::span<const Edge> edges, const std::vector<int>& counts) {
  std::vector<int> next = starts_of(counts);
  std::vector<End> ends(2 * edges.size());
  const auto put = [&](int rank, const End& end) {
    int& at = next[static_cast<std::size_t>(rank)];
    ends[static_cast<std::size_t>(at / kIntsOfEnd)] = end;
    at += kIntsOfEnd;
  };
  for (const Edge& edge : edges) {
    put(edge.source, {1, edge.destination, edge.weight});
    put(edge.destination, {0, edge.source, edge.weight});
  }
  return ends;
}

}  // namespace

/// Ignores errors, as messages of checked lengths do not fail.
OwnEdges own_edges(Comm& comm, std::span<const Edge> named) {
  const auto size = static_cast<std::size_t>(comm.size());
  std::vector<int> out_counts(size), in_counts(size);
  for (const Edge& edge : named)
    for (const int rank : {edge.source, edge.destination})
      out_counts[static_cast<std::size_t>(rank)] += kIntsOfEnd;
  (void)run_alltoall(comm, next_collective_tag(comm), one_int_each(out_counts), one_int_each(in_counts),
                     false);
  const std::vector<int> out_starts = starts_of(out_counts), in_starts = starts_of(in_counts);
  std::vector<End> outgoing = sorted_by_rank(named, out_counts);
  std::vector<End> incoming(static_cast<std::size_t>(in_starts.back() / kIntsOfEnd));
  (void)run_alltoall(comm, next_collective_tag(comm), ints_by_rank(outgoing.data(), out_counts, out_starts),
                     ints_by_rank(incoming.data(), in_counts, in_starts), false);
  OwnEdges own;
  for (const End& end : incoming) {
    (end.leads_away ? own.destinations : own.sources).push_back(end.other);
    (end.leads_away ? own.destination_weights : own.source_weights).push_back(end.weight);
  }
  return own;
}

}  // namespace skein::vmpi
