// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/message_costs.hpp"

#include <array>
#include <vector>

#include "runtime/advisor/gather.hpp"

namespace skein::advisor {
lb::CostModel measure_messages(MPI_Comm comm) {
  constexpr int kShort = 8, kLong = 1 << 20;
  int here = 0, processes = 0;
  MPI_Comm_rank(comm, &here);
  MPI_Comm_size(comm, &processes);
  // A process's partner is the next one; the last of an odd number has none.
  const int partner = here ^ 1;
  std::array<double, 2> costs{0, 0};
  if (partner < processes) {
    std::vector<char> out(kLong), in(kLong);
    const lb::LinkCosts link = lb::measure_link(kShort, kLong, MPI_Wtime, [&](std::size_t bytes) {
      const int count = static_cast<int>(bytes);
      MPI_Sendrecv(out.data(), count, MPI_BYTE, partner, 0, in.data(), count, MPI_BYTE, partner, 0, comm,
                   MPI_STATUS_IGNORE);
    });
    costs = {link.message_s, link.byte_s};
  }
  reduce_max(comm, costs);
  return {.object_s = costs[0], .byte_s = costs[1], .remote_message_s = costs[0], .remote_byte_s = costs[1]};
}

}  // namespace skein::advisor
