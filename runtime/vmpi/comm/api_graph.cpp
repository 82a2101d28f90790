// SPDX-License-Identifier: Apache-2.0
// Graph and distributed graph topologies (MPI 4.1, 8.5.3 to 8.5.5), and MPI_Topo_test. Ranks keep their
// numbers whatever `reorder` says: docs/decisions/reorder.md.
#include <algorithm>
#include <vector>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/comm/api_comm.hpp"
#include "runtime/vmpi/comm/edges.hpp"
#include "runtime/vmpi/comm/ids.hpp"
#include "runtime/vmpi/comm/topology.hpp"
#include "runtime/vmpi/record/collectives.hpp"

namespace skein::vmpi {
namespace {

int get_graph(const ApiCall& call, MPI_Comm handle, TopologyKind kind, Comm*& comm) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (comm->topology && comm->topology->kind == kind) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_TOPOLOGY, "the communicator has no %s topology",
               kind == TopologyKind::graph ? "graph" : "distributed graph");
}

/// Copies the values that fit.
void hand_over(std::span<const int> values, int most, int* out) {
  std::copy_n(values.begin(), std::min(values.size(), static_cast<std::size_t>(std::max(most, 0))), out);
}

int check_graph(const ApiCall& call, Comm* comm, int nodes, const int* index, const int* edges) {
  if (nodes < 0 || nodes > comm->size())
    return raise(call, comm, MPI_ERR_ARG, "a graph of %d nodes on a communicator of %d ranks", nodes,
                 comm->size());
  if (nodes == 0) return MPI_SUCCESS;
  SKEIN_TRY(check_pointer(call, comm, index, "index"));
  const char* const fault = fault_of_graph(as_span(index, nodes), edges);
  return fault ? raise(call, comm, MPI_ERR_ARG, "%s", fault) : MPI_SUCCESS;
}

/// Checks an array of ranks and an array of their weights, which may be missing.
int check_ranks(const ApiCall& call, Comm* comm, int count, const int* ranks, const int* weights) {
  if (count < 0) return raise(call, comm, MPI_ERR_ARG, "a rank has %d edges", count);
  if (count == 0) return MPI_SUCCESS;
  SKEIN_TRY(check_pointer(call, comm, ranks, "an array of ranks"));
  for (const int rank : as_span(ranks, count))
    if (rank < 0 || rank >= comm->size())
      return raise(call, comm, MPI_ERR_RANK, "an edge to rank %d of a communicator of %d", rank,
                   comm->size());
  if (weights == MPI_UNWEIGHTED) return MPI_SUCCESS;
  if (!weights || weights == MPI_WEIGHTS_EMPTY)
    return raise(call, comm, MPI_ERR_ARG, "there are edges but no weights: pass MPI_UNWEIGHTED");
  for (const int weight : as_span(weights, count))
    if (weight < 0) return raise(call, comm, MPI_ERR_ARG, "the weight of an edge is %d", weight);
  return MPI_SUCCESS;
}

/// Makes edges of the arguments of MPI_Dist_graph_create.
int get_edges(const ApiCall& call, Comm* comm, int n, const int* sources, const int* degrees,
              const int* destinations, const int* weights, std::vector<Edge>& edges) {
  SKEIN_TRY(check_ranks(call, comm, n, sources, MPI_UNWEIGHTED));
  if (n > 0) SKEIN_TRY(check_pointer(call, comm, degrees, "degrees"));
  int count = 0;
  for (const int degree : as_span(degrees, n)) {
    if (degree < 0) return raise(call, comm, MPI_ERR_ARG, "the degree of a rank is %d", degree);
    count += degree;
  }
  SKEIN_TRY(check_ranks(call, comm, count, destinations, weights));
  for (int i = 0, edge = 0; i < n; ++i)
    for (int k = 0; k < degrees[i]; ++k, ++edge)
      edges.push_back({sources[i], destinations[edge], weights == MPI_UNWEIGHTED ? 0 : weights[edge]});
  return MPI_SUCCESS;
}

/// Makes a communicator of the same ranks as `parent`, whose members all call this.
Comm& make_like(RankState& state, Comm& parent) {
  check_collective_call(parent);
  const std::int64_t id = agree_on_id(state, parent);
  ++parent.group->references;
  Comm& comm = *make_comm(state, parent.group, id);
  publish_comm(state, comm, parent);
  return comm;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Topo_test(MPI_Comm handle, int* status) {
  ApiCall call("MPI_Topo_test");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  static constexpr int kinds[] = {MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
  *status = comm->topology ? kinds[static_cast<std::size_t>(comm->topology->kind)]
                           : static_cast<int>(MPI_UNDEFINED);
  return MPI_SUCCESS;
}

int MPI_Graph_create(MPI_Comm handle, int nnodes, const int indx[], const int edges[], int, MPI_Comm* out) {
  ApiCall call("MPI_Graph_create");
  SKEIN_GET(Comm*, comm, get_intracomm(call, handle, comm));
  SKEIN_TRY(check_graph(call, comm, nnodes, indx, edges));
  SKEIN_TRY(split(call, *comm, comm->rank < nnodes ? 0 : MPI_UNDEFINED, comm->rank, out));
  if (*out == MPI_COMM_NULL) return MPI_SUCCESS;
  Comm& graph = *find_comm(call.state, *out);
  graph.topology =
      make_graph(call.state, as_span(indx, nnodes), as_span(edges, indx[nnodes - 1]), graph.rank);
  return MPI_SUCCESS;
}

int MPI_Graph_map(MPI_Comm handle, int nnodes, const int indx[], const int edges[], int* newrank) {
  ApiCall call("MPI_Graph_map");
  SKEIN_GET(Comm*, comm, get_intracomm(call, handle, comm));
  SKEIN_TRY(check_graph(call, comm, nnodes, indx, edges));
  *newrank = comm->rank < nnodes ? comm->rank : static_cast<int>(MPI_UNDEFINED);
  return MPI_SUCCESS;
}

int MPI_Graphdims_get(MPI_Comm handle, int* nnodes, int* nedges) {
  ApiCall call("MPI_Graphdims_get");
  SKEIN_GET(Comm*, comm, get_graph(call, handle, TopologyKind::graph, comm));
  *nnodes = static_cast<int>(comm->topology->index.size());
  *nedges = static_cast<int>(comm->topology->edges.size());
  return MPI_SUCCESS;
}

int MPI_Graph_get(MPI_Comm handle, int maxindex, int maxedges, int indx[], int edges[]) {
  ApiCall call("MPI_Graph_get");
  SKEIN_GET(Comm*, comm, get_graph(call, handle, TopologyKind::graph, comm));
  hand_over(comm->topology->index, maxindex, indx);
  hand_over(comm->topology->edges, maxedges, edges);
  return MPI_SUCCESS;
}

int MPI_Graph_neighbors_count(MPI_Comm handle, int rank, int* nneighbors) {
  ApiCall call("MPI_Graph_neighbors_count");
  SKEIN_GET(Comm*, comm, get_graph(call, handle, TopologyKind::graph, comm));
  if (rank < 0 || rank >= comm->size()) return raise_bad_peer(call, comm, rank);
  *nneighbors = static_cast<int>(comm->topology->neighbours_of(rank).size());
  return MPI_SUCCESS;
}

int MPI_Graph_neighbors(MPI_Comm handle, int rank, int maxneighbors, int neighbors[]) {
  ApiCall call("MPI_Graph_neighbors");
  SKEIN_GET(Comm*, comm, get_graph(call, handle, TopologyKind::graph, comm));
  if (rank < 0 || rank >= comm->size()) return raise_bad_peer(call, comm, rank);
  hand_over(comm->topology->neighbours_of(rank), maxneighbors, neighbors);
  return MPI_SUCCESS;
}

int MPI_Dist_graph_create(MPI_Comm handle, int n, const int sources[], const int degrees[],
                          const int destinations[], const int* weights, MPI_Info, int, MPI_Comm* out) {
  ApiCall call("MPI_Dist_graph_create");
  SKEIN_GET(Comm*, comm, get_intracomm(call, handle, comm));
  std::vector<Edge> edges;
  SKEIN_TRY(get_edges(call, comm, n, sources, degrees, destinations, weights, edges));
  const RecordedCreation recorded(call.state, comm);
  const OwnEdges own = own_edges(*comm, edges);
  Comm& graph = make_like(call.state, *comm);
  graph.topology = make_distributed_graph(call.state, {own.sources, own.destinations, own.source_weights,
                                                       own.destination_weights, weights != MPI_UNWEIGHTED});
  *out = graph.handle;
  return MPI_SUCCESS;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm handle, int indegree, const int sources[],
                                   const int* sourceweights, int outdegree, const int destinations[],
                                   const int* destweights, MPI_Info, int, MPI_Comm* out) {
  ApiCall call("MPI_Dist_graph_create_adjacent");
  SKEIN_GET(Comm*, comm, get_intracomm(call, handle, comm));
  SKEIN_TRY(check_ranks(call, comm, indegree, sources, sourceweights));
  SKEIN_TRY(check_ranks(call, comm, outdegree, destinations, destweights));
  if ((sourceweights == MPI_UNWEIGHTED) != (destweights == MPI_UNWEIGHTED))
    return raise(call, comm, MPI_ERR_ARG, "edges of one direction have weights, the others none");
  const RecordedCreation recorded(call.state, comm);
  Comm& graph = make_like(call.state, *comm);
  graph.topology =
      make_distributed_graph(call.state, {as_span(sources, indegree), as_span(destinations, outdegree),
                                          as_span(sourceweights, indegree), as_span(destweights, outdegree),
                                          sourceweights != MPI_UNWEIGHTED});
  *out = graph.handle;
  return MPI_SUCCESS;
}

int MPI_Dist_graph_neighbors_count(MPI_Comm handle, int* indegree, int* outdegree, int* weighted) {
  ApiCall call("MPI_Dist_graph_neighbors_count");
  SKEIN_GET(Comm*, comm, get_graph(call, handle, TopologyKind::distributed_graph, comm));
  *indegree = static_cast<int>(comm->topology->sources.size());
  *outdegree = static_cast<int>(comm->topology->destinations.size());
  *weighted = comm->topology->weighted;
  return MPI_SUCCESS;
}

int MPI_Dist_graph_neighbors(MPI_Comm handle, int maxindegree, int sources[], int* sourceweights,
                             int maxoutdegree, int destinations[], int* destweights) {
  ApiCall call("MPI_Dist_graph_neighbors");
  SKEIN_GET(Comm*, comm, get_graph(call, handle, TopologyKind::distributed_graph, comm));
  const Topology& graph = *comm->topology;
  hand_over(graph.sources, maxindegree, sources);
  hand_over(graph.destinations, maxoutdegree, destinations);
  // The lists of an unweighted graph are empty.
  if (sourceweights != MPI_UNWEIGHTED) hand_over(graph.source_weights, maxindegree, sourceweights);
  if (destweights != MPI_UNWEIGHTED) hand_over(graph.destination_weights, maxoutdegree, destweights);
  return MPI_SUCCESS;
}

}  // extern "C"
