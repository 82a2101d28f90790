// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/pe_collectives.hpp"

#include <mpi.h>

#include "runtime/net/mpi_error.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {
namespace {

void wait_serving(MPI_Request request, bool (*serve)()) {
  for (int complete = 0;;) {
    SKEIN_MPI_CALL(MPI_Test(&request, &complete, MPI_STATUS_IGNORE));
    if (complete) return;
    if (!serve()) idle();
  }
}

}  // namespace

void broadcast(void* data, std::size_t bytes, int root) {
  SKEIN_MPI_CALL(MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, root, MPI_COMM_WORLD));
}

void all_gather(const void* mine, std::size_t bytes, void* all) {
  SKEIN_MPI_CALL(MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes),
                               MPI_BYTE, MPI_COMM_WORLD));
}

std::vector<std::byte> all_gather_blocks(std::span<const std::byte> mine) {
  const int bytes = static_cast<int>(mine.size());
  std::vector<int> sizes(static_cast<std::size_t>(world.pes)), offsets(sizes.size());
  all_gather(&bytes, sizeof bytes, sizes.data());
  int total = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    offsets[i] = total;
    total += sizes[i];
  }
  std::vector<std::byte> all(static_cast<std::size_t>(total));
  SKEIN_MPI_CALL(MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), sizes.data(), offsets.data(),
                                MPI_BYTE, MPI_COMM_WORLD));
  return all;
}

void max_of_all(std::span<double> values) {
  SKEIN_MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                               MPI_MAX, MPI_COMM_WORLD));
}

void sum_of_all(std::span<double> values) {
  // An all-reduction may add up in another order on each PE.
  const int count = static_cast<int>(values.size());
  const void* const mine = world.pe == 0 ? MPI_IN_PLACE : values.data();
  SKEIN_MPI_CALL(MPI_Reduce(mine, values.data(), count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD));
  broadcast(values.data(), values.size_bytes(), 0);
}

void sum_polling(std::span<std::uint64_t> values, bool (*serve)()) {
  MPI_Request request;
  SKEIN_MPI_CALL(MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                                MPI_SUM, MPI_COMM_WORLD, &request));
  wait_serving(request, serve);
}

void barrier(bool (*serve)()) {
  MPI_Request request;
  SKEIN_MPI_CALL(MPI_Ibarrier(MPI_COMM_WORLD, &request));
  wait_serving(request, serve);
}

void barrier() { SKEIN_MPI_CALL(MPI_Barrier(MPI_COMM_WORLD)); }

}  // namespace skein::net
