// SPDX-License-Identifier: Apache-2.0
// Hierarchies around random flags, for tests.
#pragma once

#include <random>

#include "apps/samr/regrid.hpp"

inline samr::Hierarchy with_levels(const samr::Hierarchy& below, int base,
                                   const std::vector<samr::Boxes>& levels) {
  std::vector<samr::Placed> patches;
  for (int level = 0; level <= base; ++level)
    for (const samr::Placed& patch : below.level(level)) patches.push_back(patch);
  int level = base;
  for (const samr::Boxes& boxes : levels) {
    ++level;
    for (const samr::Box& box : boxes)
      patches.push_back({level, box, {level, static_cast<std::int32_t>(patches.size())}});
  }
  return samr::Hierarchy(below.domain(0), patches);
}

/// Flags of cells around random places of each level from `base` on.
inline std::vector<samr::Flagged> random_flags(const samr::Hierarchy& h, int base, std::mt19937& random) {
  std::vector<samr::Flagged> flags;
  for (int level = base; level < h.levels(); ++level)
    for (const samr::Placed& patch : h.level(level)) {
      if (random() % 3 == 0) continue;
      samr::Cell cell;
      for (std::size_t a = 0; a < samr::axes; ++a)
        cell[a] =
            patch.box.first[a] + static_cast<std::int32_t>(
                                     random() % static_cast<unsigned>(patch.box.length(static_cast<int>(a))));
      flags.push_back({level, samr::common(samr::box_of(cell).grown(2), patch.box)});
    }
  return flags;
}

/// Three levels over 16 x 16 x 16 cells in eight grids.
inline samr::Hierarchy random_hierarchy(std::mt19937& random) {
  std::vector<samr::Boxes> roots(1);
  samr::for_each_cell({{0, 0, 0}, {2, 2, 2}}, [&](const samr::Cell& c) {
    roots[0].push_back({{8 * c[0], 8 * c[1], 8 * c[2]}, {8 * c[0] + 8, 8 * c[1] + 8, 8 * c[2] + 8}});
  });
  samr::Hierarchy h = with_levels(samr::Hierarchy({{0, 0, 0}, {16, 16, 16}}, {}), -1, roots);
  for (int base = 0; base < 2; ++base)
    h = with_levels(h, base, regridded(h, base, base + 1, random_flags(h, base, random), {0.7, 2, 8}));
  return h;
}
