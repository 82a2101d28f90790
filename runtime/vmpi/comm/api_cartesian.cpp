// SPDX-License-Identifier: Apache-2.0
// Cartesian topologies (MPI 4.1, 8.5).
#include <algorithm>
#include <vector>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/api_comm.hpp"
#include "runtime/vmpi/comm/topology.hpp"

namespace skein::vmpi {
namespace {

int get_cartesian(const ApiCall& call, MPI_Comm handle, Comm*& comm) {
  SKEIN_TRY(get_comm(call, handle, comm));
  if (comm->topology && comm->topology->kind == TopologyKind::cartesian) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_TOPOLOGY, "the communicator has no Cartesian topology");
}

/// Multiplies the dimensions. Raises an error on negative values and overflow.
int grid_size(const ApiCall& call, Comm* comm, std::span<const int> dims, int& size) {
  long product = 1;
  for (const int dim : dims) {
    if (dim <= 0) return raise(call, comm, MPI_ERR_DIMS, "a dimension is %d", dim);
    product *= dim;
    if (product > comm->size())
      return raise(call, comm, MPI_ERR_ARG, "the grid is larger than the communicator's %d ranks",
                   comm->size());
  }
  size = static_cast<int>(product);
  return MPI_SUCCESS;
}

/// Tells strategies where each rank works in a grid of all ranks, unless the program has declared positions.
void note_position(RankState& state, const Comm& comm) {
  const std::pmr::vector<int>& coords = comm.topology->coords;
  if (state.rank.declared.position || comm.size() != job_ranks.count || coords.empty() || coords.size() > 3)
    return;
  std::ranges::copy(coords, state.rank.declared.position.emplace().begin());
}

int create(const ApiCall& call, Comm& parent, std::span<const int> dims, std::span<const int> periods,
           MPI_Comm* out) {
  int size = 0;
  SKEIN_TRY(grid_size(call, &parent, dims, size));
  SKEIN_TRY(split(call, parent, parent.rank < size ? 0 : MPI_UNDEFINED, parent.rank, out));
  if (*out == MPI_COMM_NULL) return MPI_SUCCESS;
  Comm& comm = *find_comm(call.state, *out);
  comm.topology = make_topology(call.state, dims, periods, comm.rank);
  note_position(call.state, comm);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Cart_create(MPI_Comm handle, int ndims, const int dims[], const int periods[], int,
                    MPI_Comm* comm_cart) {
  ApiCall call("MPI_Cart_create");
  SKEIN_GET(Comm*, comm, get_intracomm(call, handle, comm));
  if (ndims < 0) return raise(call, comm, MPI_ERR_ARG, "ndims is %d", ndims);
  return create(call, *comm, as_span(dims, ndims), as_span(periods, ndims), comm_cart);
}

int MPI_Dims_create(int nnodes, int ndims, int dims[]) {
  ApiCall call("MPI_Dims_create");
  if (nnodes <= 0 || ndims < 0)
    return raise(call, nullptr, MPI_ERR_ARG, "%d nodes in %d dimensions", nnodes, ndims);
  for (int d = 0; d < ndims; ++d)
    if (dims[d] < 0) return raise(call, nullptr, MPI_ERR_DIMS, "dimension %d is %d", d, dims[d]);
  if (ndims > 0 && !balance_dims(nnodes, {dims, static_cast<std::size_t>(ndims)}))
    return raise(call, nullptr, MPI_ERR_DIMS, "the given dimensions do not divide %d nodes", nnodes);
  return MPI_SUCCESS;
}

int MPI_Cartdim_get(MPI_Comm handle, int* ndims) {
  ApiCall call("MPI_Cartdim_get");
  SKEIN_GET(Comm*, comm, get_cartesian(call, handle, comm));
  *ndims = comm->topology->ndims();
  return MPI_SUCCESS;
}

int MPI_Cart_get(MPI_Comm handle, int maxdims, int dims[], int periods[], int coords[]) {
  ApiCall call("MPI_Cart_get");
  SKEIN_GET(Comm*, comm, get_cartesian(call, handle, comm));
  const Topology& topology = *comm->topology;
  for (int d = 0; d < maxdims && d < topology.ndims(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    dims[d] = topology.dims[i];
    periods[d] = topology.periods[i];
    coords[d] = topology.coords[i];
  }
  return MPI_SUCCESS;
}

int MPI_Cart_rank(MPI_Comm handle, const int coords[], int* rank) {
  ApiCall call("MPI_Cart_rank");
  SKEIN_GET(Comm*, comm, get_cartesian(call, handle, comm));
  if (comm->topology->ndims() > 0) SKEIN_TRY(check_pointer(call, comm, coords, "coords"));
  *rank = comm->topology->rank_of(as_span(coords, comm->topology->ndims()));
  if (*rank == MPI_PROC_NULL)
    return raise(call, comm, MPI_ERR_ARG, "a coordinate is outside a dimension that is not periodic");
  return MPI_SUCCESS;
}

int MPI_Cart_coords(MPI_Comm handle, int rank, int maxdims, int coords[]) {
  ApiCall call("MPI_Cart_coords");
  SKEIN_GET(Comm*, comm, get_cartesian(call, handle, comm));
  if (rank < 0 || rank >= comm->size())
    return raise(call, comm, MPI_ERR_RANK, "rank %d of a communicator of %d", rank, comm->size());
  comm->topology->position_of(rank, {coords, static_cast<std::size_t>(maxdims)});
  return MPI_SUCCESS;
}

int MPI_Cart_shift(MPI_Comm handle, int direction, int disp, int* rank_source, int* rank_dest) {
  ApiCall call("MPI_Cart_shift");
  SKEIN_GET(Comm*, comm, get_cartesian(call, handle, comm));
  const Topology& topology = *comm->topology;
  if (direction < 0 || direction >= topology.ndims())
    return raise(call, comm, MPI_ERR_ARG, "direction %d of %d dimensions", direction, topology.ndims());
  std::vector<int> position(topology.coords.begin(), topology.coords.end());
  int& at = position[static_cast<std::size_t>(direction)];
  at += disp;
  *rank_dest = topology.rank_of(position);
  at -= 2 * disp;
  *rank_source = topology.rank_of(position);
  return MPI_SUCCESS;
}

int MPI_Cart_sub(MPI_Comm handle, const int remain_dims[], MPI_Comm* newcomm) {
  ApiCall call("MPI_Cart_sub");
  SKEIN_GET(Comm*, comm, get_cartesian(call, handle, comm));
  const Topology& topology = *comm->topology;
  if (!topology.dims.empty()) SKEIN_TRY(check_pointer(call, comm, remain_dims, "remain_dims"));
  std::vector<int> dims, periods;
  int color = 0, key = 0;
  for (std::size_t d = 0; d < topology.dims.size(); ++d) {
    int& number = remain_dims[d] ? key : color;
    number = number * topology.dims[d] + topology.coords[d];
    if (!remain_dims[d]) continue;
    dims.push_back(topology.dims[d]);
    periods.push_back(topology.periods[d]);
  }
  SKEIN_TRY(split(call, *comm, color, key, newcomm));
  Comm& sub = *find_comm(call.state, *newcomm);
  sub.topology = make_topology(call.state, dims, periods, sub.rank);
  return MPI_SUCCESS;
}

int MPI_Cart_map(MPI_Comm handle, int ndims, const int dims[], const int[], int* newrank) {
  ApiCall call("MPI_Cart_map");
  SKEIN_GET(Comm*, comm, get_intracomm(call, handle, comm));
  int size = 0;
  SKEIN_TRY(grid_size(call, comm, as_span(dims, ndims), size));
  *newrank = comm->rank < size ? comm->rank : static_cast<int>(MPI_UNDEFINED);
  return MPI_SUCCESS;
}

}  // extern "C"
