// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/exchange.hpp"

#include <doctest/doctest.h>

#include "meshes.hpp"

using namespace samr;

namespace {

/// Returns how many patches list a transfer to this patch.
std::size_t gifts(const Exchange& exchange, const Hierarchy& from, const Hierarchy& below, const Placed& to) {
  std::size_t count = 0;
  const auto is_it = [&](const Placed& patch) { return patch.box == to.box; };
  for (const Placed& patch : from.level(to.level))
    count += static_cast<std::size_t>(std::ranges::count_if(exchange.beside(to.level, patch.box), is_it));
  for (const Placed& patch : below.level(to.level - 1))
    count += static_cast<std::size_t>(std::ranges::count_if(exchange.above(patch.level, patch.box), is_it));
  return count;
}

}  // namespace

TEST_CASE("exchange: a patch waits for as many as give it something, and gets all cells") {
  std::mt19937 random(11);
  for (int i = 0; i < 10; ++i) {
    const Hierarchy before = random_hierarchy(random);
    const Hierarchy now =
        with_levels(before, 0, regridded(before, 0, 3, random_flags(before, 0, random), {0.7, 2, 8}));
    const Exchange ghosts = Exchange::of_ghosts(now), filling = Exchange::to_fill(now, before);
    for (const Placed& patch : now.patches()) {
      CHECK(ghosts.wants(patch));
      CHECK(ghosts.givers(patch) == gifts(ghosts, now, now, patch));
      CHECK(filling.wants(patch) == (before.find(patch.level, patch.box) == nullptr));
      if (filling.wants(patch)) CHECK(filling.givers(patch) == gifts(filling, before, now, patch));
      for (const Exchange* const exchange : {&ghosts, &filling}) {
        if (!exchange->wants(patch) || patch.level == 0) continue;
        for (const Box& source : exchange->sources(patch))
          CHECK(difference(source, now.boxes(patch.level - 1)).empty());
      }
    }
  }
}
