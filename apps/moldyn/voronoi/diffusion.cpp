// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/common/exchange.hpp"
#include "move_centres.hpp"

namespace moldyn {

double diffusion_cost(std::size_t processes, std::size_t neighbours) {
  // A test of a neighbour looks at all centres that may be between, the test of another process only at a
  // few.
  const auto p = static_cast<double>(processes);
  return instructions::centre_test * p * (static_cast<double>(neighbours) + 8);
}

std::vector<Centre> diffused(MPI_Comm comm, const std::vector<Centre>& centres, double load,
                             const Diffusion& diffusion, Clock& clock) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  clock.barrier();
  const std::vector<double> loads = apps::all_gather(comm, std::vector<double>{load}).all;
  Centre centre = centres[static_cast<std::size_t>(rank)];
  {
    const Clock::Busy busy(clock);
    const std::vector<int> neighbours = neighbours_of(centres, rank);
    Vec3 move;
    double nearest2 = std::numeric_limits<double>::infinity();
    for (const int q : neighbours) {
      const auto k = static_cast<std::size_t>(q);
      const Vec3 apart = centres[k].at - centre.at;
      if (loads[k] + load > 0) move += diffusion.rate * (loads[k] - load) / (loads[k] + load) * apart;
      nearest2 = std::min(nearest2, dot(apart, apart));
    }
    if (const double most = diffusion.limit * std::sqrt(nearest2), far = std::sqrt(dot(move, move));
        far > most)
      move = most / far * move;
    centre.at += move;
    clock.work(diffusion_cost(centres.size(), neighbours.size()));
  }
  clock.barrier();
  return apps::all_gather(comm, std::vector<Centre>{centre}).all;
}

}  // namespace moldyn
