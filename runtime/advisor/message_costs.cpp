// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/message_costs.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/advisor/gather.hpp"

namespace skein::advisor {
namespace {

constexpr int kExchanges = 5;  // the first warms up, the least of the others counts

double exchange(MPI_Comm comm, int partner, int bytes) {
  std::vector<char> out(static_cast<std::size_t>(bytes)), in(out.size());
  double least = 0;
  for (int k = 0; k < kExchanges; ++k) {
    const double start = MPI_Wtime();
    MPI_Sendrecv(out.data(), bytes, MPI_BYTE, partner, 0, in.data(), bytes, MPI_BYTE, partner, 0, comm,
                 MPI_STATUS_IGNORE);
    const double taken = MPI_Wtime() - start;
    if (k > 0) least = k == 1 ? taken : std::min(least, taken);
  }
  return least;
}

}  // namespace

lb::CostModel measure_messages(MPI_Comm comm) {
  constexpr int kShort = 8, kLong = 1 << 20;
  int here = 0, processes = 0;
  MPI_Comm_rank(comm, &here);
  MPI_Comm_size(comm, &processes);
  // A process's partner is the next one; the last of an odd number has none.
  const int partner = here ^ 1;
  std::array<double, 2> costs{0, 0};
  if (partner < processes) {
    costs[0] = exchange(comm, partner, kShort);
    costs[1] = std::max(0.0, exchange(comm, partner, kLong) - costs[0]) / kLong;
  }
  reduce_max(comm, costs);
  return {.object_s = costs[0], .byte_s = costs[1], .remote_message_s = costs[0], .remote_byte_s = costs[1]};
}

}  // namespace skein::advisor
