// SPDX-License-Identifier: Apache-2.0
// Hierarchies around random flags, for tests.
#pragma once

#include <random>

#include "apps/amr/regrid.hpp"

inline amr::Hierarchy with_levels(const amr::Hierarchy& below, int base,
                                  const std::vector<amr::Boxes>& levels) {
  std::vector<amr::Placed> patches;
  for (int level = 0; level <= base; ++level)
    for (const amr::Placed& patch : below.level(level)) patches.push_back(patch);
  int level = base;
  for (const amr::Boxes& boxes : levels) {
    ++level;
    for (const amr::Box& box : boxes)
      patches.push_back({level, box, {level, static_cast<std::int32_t>(patches.size())}});
  }
  return amr::Hierarchy(below.domain(0), patches);
}

/// Flags of cells around random places of each level from `base` on.
inline std::vector<amr::Flagged> random_flags(const amr::Hierarchy& h, int base, std::mt19937& random) {
  std::vector<amr::Flagged> flags;
  for (int level = base; level < h.levels(); ++level)
    for (const amr::Placed& patch : h.level(level)) {
      if (random() % 3 == 0) continue;
      amr::Cell cell;
      for (std::size_t a = 0; a < amr::axes; ++a)
        cell[a] =
            patch.box.first[a] + static_cast<std::int32_t>(
                                     random() % static_cast<unsigned>(patch.box.length(static_cast<int>(a))));
      flags.push_back({level, amr::common(amr::box_of(cell).grown(2), patch.box)});
    }
  return flags;
}

/// Three levels over 16 x 16 x 16 cells in eight grids.
inline amr::Hierarchy random_hierarchy(std::mt19937& random) {
  std::vector<amr::Boxes> roots(1);
  amr::for_each_cell({{0, 0, 0}, {2, 2, 2}}, [&](const amr::Cell& c) {
    roots[0].push_back({{8 * c[0], 8 * c[1], 8 * c[2]}, {8 * c[0] + 8, 8 * c[1] + 8, 8 * c[2] + 8}});
  });
  amr::Hierarchy h = with_levels(amr::Hierarchy({{0, 0, 0}, {16, 16, 16}}, {}), -1, roots);
  for (int base = 0; base < 2; ++base)
    h = with_levels(h, base, regridded(h, base, base + 1, random_flags(h, base, random), {0.7, 2, 8}));
  return h;
}
