// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/joined.hpp"

#include <mpi.h>

#include <vector>

#include "runtime/net/idle_wait.hpp"
#include "runtime/net/message_counts.hpp"
#include "runtime/net/mpi_process.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {
namespace {

constexpr int kJoinTag = 3;

/// Waits and leaves the core to others where PEs share cores; MPI's own waiting would spin.
void wait_for(MPI_Request request) {
  if (!world.shares_cores()) {
    SKEIN_MPI_CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return;
  }
  IdleWait wait;
  wait.set_pes_per_core(world.pes_per_core);
  for (int complete = 0;; wait.wait()) {
    SKEIN_MPI_CALL(MPI_Test(&request, &complete, MPI_STATUS_IGNORE));
    if (complete) return;
  }
}

}  // namespace

void join_on_all(void* value, std::size_t bytes, Join join) {
  count_collective(Collective::reduction, bytes);
  std::vector<std::byte> next(bytes);
  const int count = static_cast<int>(bytes);
  MPI_Request request;
  for (int distance = 1; distance < world.pes; distance *= 2) {
    if (world.pe & distance) {
      SKEIN_MPI_CALL(
          MPI_Isend(value, count, MPI_BYTE, world.pe - distance, kJoinTag, mpi_process.pes, &request));
      wait_for(request);
      break;
    }
    if (world.pe + distance >= world.pes) continue;
    SKEIN_MPI_CALL(
        MPI_Irecv(next.data(), count, MPI_BYTE, world.pe + distance, kJoinTag, mpi_process.pes, &request));
    wait_for(request);
    join(value, next.data());
  }
  broadcast(value, bytes, 0);
}

}  // namespace skein::net
