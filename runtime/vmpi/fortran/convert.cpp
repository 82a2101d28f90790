// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/convert.hpp"

#include <cstring>

namespace skein::vmpi::fortran {

std::string in_string(const char* text, std::size_t length, Trim trim) {
  std::string_view value(text, length);
  value.remove_suffix(value.size() - (value.find_last_not_of(' ') + 1));
  if (trim == Trim::both) value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return std::string(value);
}

void out_string(std::string_view value, char* text, std::size_t length) {
  const std::size_t copied = std::min(value.size(), length);
  memcpy(text, value.data(), copied);
  memset(text + copied, ' ', length - copied);
}

int peers(MPI_Fint comm) {
  const auto c_comm = handle_of<MPI_Comm>(comm);
  int remote = 0;
  if (MPI_Comm_test_inter(c_comm, &remote) != MPI_SUCCESS) return 0;
  int size = 0;
  const int error = remote ? MPI_Comm_remote_size(c_comm, &size) : MPI_Comm_size(c_comm, &size);
  return error == MPI_SUCCESS ? size : 0;
}

Degrees neighbours(MPI_Fint comm) {
  const auto c_comm = handle_of<MPI_Comm>(comm);
  int topology = MPI_UNDEFINED;
  if (MPI_Topo_test(c_comm, &topology) != MPI_SUCCESS) return {};
  int degree = 0;
  int weighted = 0;
  Degrees degrees;
  switch (topology) {
    case MPI_CART:
      if (MPI_Cartdim_get(c_comm, &degree) == MPI_SUCCESS) degrees = {2 * degree, 2 * degree};
      break;
    case MPI_GRAPH: {
      int rank = 0;
      if (MPI_Comm_rank(c_comm, &rank) == MPI_SUCCESS &&
          MPI_Graph_neighbors_count(c_comm, rank, &degree) == MPI_SUCCESS)
        degrees = {degree, degree};
      break;
    }
    case MPI_DIST_GRAPH:
      if (MPI_Dist_graph_neighbors_count(c_comm, &degrees.in, &degrees.out, &weighted) != MPI_SUCCESS)
        return {};
      break;
    default:
      break;
  }
  return degrees;
}

}  // namespace skein::vmpi::fortran
