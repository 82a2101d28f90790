// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "read.hpp"

namespace skein::report {

std::vector<Move> read_moves(const JsonPlace& list, const Run& run) {
  std::vector<Move> moves;
  for (const JsonPlace& move : list.items()) {
    const std::vector<JsonPlace> parts = move.items();
    if (parts.size() != 3) move.fail("is not an object, a PE and a PE");
    moves.push_back({static_cast<ObjectIndex>(parts[0].natural(std::max<std::size_t>(run.objects, 1) - 1)),
                     static_cast<PeIndex>(parts[1].natural(run.pes - 1)),
                     static_cast<PeIndex>(parts[2].natural(run.pes - 1))});
  }
  return moves;
}

std::vector<double> read_loads(const JsonPlace& list, const Run& run) {
  std::vector<double> all = list.amounts();
  if (all.size() != run.pes)
    list.fail("has " + std::to_string(all.size()) + " numbers for " + std::to_string(run.pes) + " PEs");
  return all;
}

}  // namespace skein::report
