// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "meshes.hpp"

using namespace samr;

TEST_CASE("regrid: levels are properly nested, whatever is flagged and from whichever level on") {
  std::mt19937 random(5);
  int deep = 0;
  for (int i = 0; i < 20; ++i) {
    Hierarchy h = random_hierarchy(random);
    deep += h.levels() == 3;
    CHECK(flaw_of(h) == "");
    for (const int base : {1, 0, 1}) {
      const Boxes kept = h.boxes(base);
      h = with_levels(h, base, regridded(h, base, 3, random_flags(h, base, random), {0.7, 2, 8}));
      CHECK(flaw_of(h) == "");
      CHECK(h.boxes(base) == kept);
    }
  }
  CHECK(deep > 10);
}

TEST_CASE("regrid: flagged cells are refined, but where the end of a level that stays is too near") {
  const Hierarchy roots =
      with_levels(Hierarchy({{0, 0, 0}, {16, 16, 16}}, {}), -1, {{{{0, 0, 0}, {16, 16, 16}}}});
  const Box middle{{6, 6, 6}, {10, 10, 10}};
  // With buffers for the level above, and the end of the domain is no end.
  CHECK(regridded(roots, 0, 1, {{0, middle}}, {}) == std::vector<Boxes>{{middle.refined()}});
  const Box corner{{0, 0, 0}, {4, 4, 4}};
  CHECK(regridded(roots, 0, 1, {{0, corner}}, {}) == std::vector<Boxes>{{corner.refined()}});
  const Hierarchy two = with_levels(roots, 0, {{middle.refined()}});
  const Boxes finest = regridded(two, 1, 2, {{1, middle.refined()}}, {})[0];
  CHECK(finest == Boxes{middle.refined().grown(-nesting_cells()).refined()});
}

TEST_CASE("regrid: what finer levels need is refined below them, too") {
  const Hierarchy roots =
      with_levels(Hierarchy({{0, 0, 0}, {16, 16, 16}}, {}), -1, {{{{0, 0, 0}, {16, 16, 16}}}});
  const Box flagged{{14, 14, 14}, {18, 18, 18}};
  const std::vector<Boxes> levels = regridded(roots, 0, 2, {{1, flagged}}, {});
  CHECK(levels[1] == Boxes{flagged.refined()});
  CHECK(cells_of(difference({flagged.grown(nesting_cells())}, levels[0])) == 0);
}

TEST_CASE("hierarchy: near a box are all patches that have cells of it, and no others") {
  std::mt19937 random(7);
  const auto place = [&] { return static_cast<std::int32_t>(random() % 40) - 4; };
  const auto length = [&] { return static_cast<std::int32_t>(random() % 24) + 1; };
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    const Hierarchy h = random_hierarchy(random);
    for (int k = 0; k < 50; ++k) {
      const Cell first{place(), place(), place()};
      const Box box{first,
                    {first[0] + (length() + 3) / 4, first[1] + (length() + 1) / 2, first[2] + length()}};
      for (int level = 0; level < h.levels(); ++level) {
        std::vector<Placed> near;
        for (const Placed& patch : h.level(level))
          if (overlap(patch.box, box)) near.push_back(patch);
        CHECK(h.near(level, box) == near);
        found += !near.empty();
      }
    }
  }
  CHECK(found > 200);  // boxes are not all empty or outside of the domain
}

TEST_CASE("hierarchy: flaws are found") {
  const Box all{{0, 0, 0}, {8, 8, 8}};
  const auto flaw = [&](const Boxes& zero, const Boxes& one) {
    return flaw_of(with_levels(Hierarchy(all, {}), -1, {zero, one}));
  };
  CHECK(flaw({all}, {}) == "");
  CHECK(flaw({all.grown_along(0, -1)}, {}) == "level 0 does not cover the domain");
  CHECK(flaw({all, {{0, 0, 0}, {1, 1, 1}}}, {}) == "a patch of level 0 overlaps another");
  CHECK(flaw({all}, {{{0, 0, 0}, {3, 4, 4}}}) == "a patch of level 1 has parts of coarse cells");
  CHECK(flaw({all}, {{{0, 0, 0}, {4, 4, 18}}}) == "a patch of level 1 leaves the domain");
}
