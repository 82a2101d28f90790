// SPDX-License-Identifier: Apache-2.0
// PT-Scotch as a partitioner for processes that partition together: a fresh mapping. It has no fixed
// vertices, and its remapping is not used. C. Chevalier, F. Pellegrini, "PT-Scotch: a tool for efficient
// parallel graph ordering", Parallel Computing 34 (2008).
#include <mpi.h>

// ptscotch.h uses FILE without including its declaration.
#include <ptscotch.h>

#include <algorithm>
#include <vector>

#include "lb/libraries/scotch_parts.hpp"

namespace {

using skein::lb::Context;
using skein::lb::Owned;
using skein::lb::PartitionRequest;

std::vector<SCOTCH_Num> numbers(std::span<const std::int32_t> values) {
  std::vector<SCOTCH_Num> copy;
  copy.reserve(values.size() + 1);  // PT-Scotch requires an array even if it is empty
  copy.assign(values.begin(), values.end());
  return copy;
}

}  // namespace

extern "C" const char* SKEIN_LB_PARTITION(const PartitionRequest& request, std::span<std::int32_t> part) {
  const MPI_Comm communicator = *static_cast<const MPI_Comm*>(request.communicator);
  int processes = 1;
  MPI_Comm_size(communicator, &processes);
  std::vector<SCOTCH_Num> first = numbers(request.first), neighbour = numbers(request.neighbour);
  std::vector<SCOTCH_Num> edge_weight = numbers(request.edge_weight), weight = numbers(request.vertex_weight);
  const auto vertices = static_cast<SCOTCH_Num>(weight.size());
  const auto edges = static_cast<SCOTCH_Num>(neighbour.size());
  Context context(request.seed);
  Owned<SCOTCH_Dgraph, SCOTCH_dgraphExit> plain, graph;
  if (SCOTCH_dgraphInit(&plain.value, communicator) != 0 ||
      SCOTCH_dgraphInit(&graph.value, communicator) != 0)
    return "SCOTCH_dgraphInit failed";
  if (SCOTCH_dgraphBuild(&plain.value, 0, vertices, vertices, first.data(), nullptr, weight.data(), nullptr,
                         edges, edges, neighbour.data(), nullptr, edge_weight.data()) != 0)
    return "SCOTCH_dgraphBuild failed";
  if (SCOTCH_contextBindDgraph(&context.value, &plain.value, &graph.value) != 0)
    return "SCOTCH_contextBindDgraph failed";

  const auto parts = static_cast<SCOTCH_Num>(request.part_weight.size());
  Owned<SCOTCH_Arch, SCOTCH_archExit> architecture;
  SCOTCH_archInit(&architecture.value);
  const std::vector<SCOTCH_Num> sizes = numbers(request.part_weight);
  const bool equal = std::ranges::all_of(sizes, [&](SCOTCH_Num size) { return size == sizes[0]; });
  if ((equal ? SCOTCH_archCmplt(&architecture.value, parts)
             : SCOTCH_archCmpltw(&architecture.value, parts, sizes.data())) != 0)
    return "the target architecture cannot be built";

  Owned<SCOTCH_Strat, SCOTCH_stratExit> strategy;
  SCOTCH_stratInit(&strategy.value);
  if (SCOTCH_stratDgraphMapBuild(&strategy.value, skein::lb::flags_of(request.flavour), processes, parts,
                                 request.tolerance) != 0)
    return "SCOTCH_stratDgraphMapBuild failed";
  std::vector<SCOTCH_Num> result(weight.size() + 1, 0);
  if (SCOTCH_dgraphMap(&graph.value, &architecture.value, &strategy.value, result.data()) != 0)
    return "the mapping failed";
  std::transform(result.begin(), result.end() - 1, part.begin(),
                 [](SCOTCH_Num p) { return static_cast<std::int32_t>(p); });
  return nullptr;
}
