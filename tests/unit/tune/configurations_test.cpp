// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "skein/lb/tune.hpp"

using namespace skein::tune;

TEST_CASE("configurations: all combinations, those without balancing first") {
  const std::vector<Configuration> all =
      configurations({{"refine", "none", "greedy"}, {5, 20}, {16, 64}, {4, 8}});
  // Each of 4 pairs of ranks and PEs has none once, and 2 strategies with 2 periods.
  CHECK(all.size() == 4 * (1 + 2 * 2));
  CHECK(std::set<Configuration>(all.begin(), all.end()).size() == all.size());
  for (std::size_t i = 0; i < 4; ++i) CHECK(all[i].strategy == "none");
  for (std::size_t i = 4; i < all.size(); ++i) CHECK(all[i].strategy != "none");
  CHECK(all[4] == Configuration{"refine", 5, 16, 4});
}

TEST_CASE("configurations: what is the same is there once, and what cannot run is not") {
  // On one PE, or with one rank on each PE, nothing can move; more PEs than ranks are left out.
  const std::vector<Configuration> all =
      configurations({{"greedy", "greedy", "none"}, {1, 1}, {4, 4}, {1, 4, 8}});
  CHECK(all == std::vector<Configuration>{{"none", 1, 4, 1}, {"none", 1, 4, 4}});
}

TEST_CASE("configurations: modes, where something is left to be balanced") {
  using skein::lb::parse_mode;
  const std::vector<Configuration> all =
      configurations({{"greedy", "none"},
                      {0, 5},
                      {8},
                      {2, 4, 8},
                      {parse_mode("inline"), parse_mode("decoupled:reserved"), parse_mode("lazy:wait=3")}});
  const std::vector<Configuration> expected = {{"none", 1, 8, 2},
                                               {"none", 1, 8, 4},
                                               {"none", 1, 8, 8},
                                               // With one of two PEs reserved one is left.
                                               {"greedy", 0, 8, 2},
                                               {"greedy", 5, 8, 2},
                                               // Lazy jobs ask at every K-th point.
                                               {"greedy", 0, 8, 4},
                                               {"greedy", 0, 8, 4, "decoupled:reserved,pes=1"},
                                               {"greedy", 5, 8, 4},
                                               {"greedy", 5, 8, 4, "decoupled:reserved,pes=1"},
                                               {"greedy", 5, 8, 4, "lazy:pes=1,wait=3"},
                                               // Eight ranks can move on seven PEs, but not on eight.
                                               {"greedy", 0, 8, 8, "decoupled:reserved,pes=1"},
                                               {"greedy", 5, 8, 8, "decoupled:reserved,pes=1"},
                                               {"greedy", 5, 8, 8, "lazy:pes=1,wait=3"}};
  CHECK(all == expected);
}

TEST_CASE(
    "configurations: several PEs that decide, up to a quarter of all and to what is known of the strategy") {
  using skein::lb::parse_mode;
  Space space{{"rcb", "greedy", "sfc"},
              {5},
              {64},
              {7, 40},
              {parse_mode("inline"), parse_mode("decoupled:reserved"), parse_mode("lazy:wait=3"),
               parse_mode("lazy:pes=2,wait=3")}};
  space.most_deciding = {{"rcb", 5}, {"sfc", 100}};
  std::vector<std::string> modes;
  for (const Configuration& each : configurations(space))
    modes.push_back(each.strategy + " " + std::to_string(each.pes) + " " + each.mode);
  const std::vector<std::string> expected = {
      // A quarter of 7 is 1.
      "rcb 7 inline", "rcb 7 decoupled:reserved,pes=1", "rcb 7 lazy:pes=1,wait=3", "rcb 7 lazy:pes=2,wait=3",
      "greedy 7 inline", "greedy 7 decoupled:reserved,pes=1", "greedy 7 lazy:pes=1,wait=3",
      "greedy 7 lazy:pes=2,wait=3", "sfc 7 inline", "sfc 7 decoupled:reserved,pes=1",
      "sfc 7 lazy:pes=1,wait=3", "sfc 7 lazy:pes=2,wait=3",
      // A configuration that was named goes first, and occurs once.
      "rcb 40 inline", "rcb 40 decoupled:reserved,pes=1", "rcb 40 lazy:pes=1,wait=3",
      "rcb 40 lazy:pes=2,wait=3", "rcb 40 decoupled:reserved,pes=2", "rcb 40 decoupled:reserved,pes=4",
      "rcb 40 lazy:pes=4,wait=3", "greedy 40 inline", "greedy 40 decoupled:reserved,pes=1",
      "greedy 40 lazy:pes=1,wait=3", "greedy 40 lazy:pes=2,wait=3",
      // A quarter of 40 is 10.
      "sfc 40 inline", "sfc 40 decoupled:reserved,pes=1", "sfc 40 lazy:pes=1,wait=3",
      "sfc 40 lazy:pes=2,wait=3", "sfc 40 decoupled:reserved,pes=2", "sfc 40 decoupled:reserved,pes=4",
      "sfc 40 decoupled:reserved,pes=8", "sfc 40 lazy:pes=4,wait=3", "sfc 40 lazy:pes=8,wait=3"};
  CHECK(modes == expected);
}

TEST_CASE("configurations: of PEs that compute, too, all may decide together") {
  Space space{{"sfc"}, {5}, {64}, {6}, {skein::lb::parse_mode("decoupled")}};
  space.most_deciding = {{"sfc", 100}};
  std::vector<std::string> modes;
  for (const Configuration& each : configurations(space)) modes.push_back(each.mode);
  CHECK(modes == std::vector<std::string>{"decoupled:pes=1", "decoupled:pes=2", "decoupled:pes=4"});
}

TEST_CASE("configurations: without any there is an error that names the options") {
  CHECK_THROWS_WITH_AS(configurations({{"none"}, {1}, {4}, {8}}), doctest::Contains("--pes"), TuneError);
  CHECK_THROWS_AS(configurations({{}, {1}, {4}, {2}}), TuneError);
  CHECK_THROWS_AS(configurations({{"greedy"}, {}, {4}, {2}}), TuneError);
}
