// SPDX-License-Identifier: Apache-2.0
#include "pieces.hpp"

#include "solver.hpp"

namespace samr {

void put(std::span<const std::tuple<int, Pieces>> given, const Exchange& exchange, const Placed& patch,
         const Box& coarse_domain, double heat_ratio, Field& into) {
  Field below(sources_of(patch.box.grown(ghost_cells), coarse_domain));
  for (const auto& [turn, pieces] : given)
    if (pieces.patch == patch.box)
      for (const Field& cells : pieces.cells) (pieces.coarse ? below : into).paste(cells);
  if (patch.level == 0) return;
  for (const Box& box : exchange.interpolated(patch))
    into.paste(interpolated(below, box, coarse_domain, heat_ratio));
}

}  // namespace samr
