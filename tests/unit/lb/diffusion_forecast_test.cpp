// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/diffusion_forecast.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lb/kernel/pe_graph.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

TEST_CASE("diffusion forecast: two PEs meet at once halfway") {
  // Weight of the one link: 1 / (1 + 1). From (6, 2) flow (6 - 2) / 2 = 2: (4, 4) after one step.
  const Pes pes = uniform_pes(2);
  const std::vector<std::vector<PeIndex>> neighbours{{1}, {0}};
  const DiffusionForecast forecast =
      forecast_diffusion(neighbours, pes, {6, 2}, {.tolerance = 1.01, .most_steps = 100});
  REQUIRE(forecast.steps() == 1);
  CHECK(forecast.largest == std::vector<double>{6, 4});
  CHECK(forecast.busiest == std::vector<double>{0, 2});
  CHECK(forecast.busiest_at_once == 2);
}

TEST_CASE("diffusion forecast: a line of three, by hand") {
  // Links have weight 1 / (1 + 2). (9, 0, 0): flow 3 over the first link: (6, 3, 0). Then flows 1 and 1:
  // (5, 3, 1). Then 2/3 and 2/3: (13/3, 3, 5/3). PE 1 handles 3, 2, 4/3; over its links go in all
  // 3 + 1 + 2/3 and 1 + 2/3.
  const Pes pes = uniform_pes(3);
  const std::vector<std::vector<PeIndex>> neighbours{{1}, {0, 2}, {1}};
  const DiffusionForecast forecast =
      forecast_diffusion(neighbours, pes, {9, 0, 0}, {.tolerance = 1, .most_steps = 3});
  REQUIRE(forecast.steps() == 3);
  CHECK(forecast.largest[1] == doctest::Approx(6));
  CHECK(forecast.largest[2] == doctest::Approx(5));
  CHECK(forecast.largest[3] == doctest::Approx(13.0 / 3));
  CHECK(forecast.busiest[1] == doctest::Approx(3));
  CHECK(forecast.busiest[2] == doctest::Approx(2));
  CHECK(forecast.busiest[3] == doctest::Approx(4.0 / 3));
  CHECK(forecast.busiest_at_once == doctest::Approx(14.0 / 3 + 5.0 / 3));
}

TEST_CASE("diffusion forecast: PEs of two speeds end at the same time") {
  // Speeds 1 and 3 with finish 8 and 0: work 8 over speed 4 gives 2. The link carries min(1, 3) / 2 * 8 = 4:
  // (4, 4/3); then 4/3: (8/3, 16/9), and so on to (2, 2).
  Pes pes = uniform_pes(2);
  pes.speed[1] = 3;
  const std::vector<std::vector<PeIndex>> neighbours{{1}, {0}};
  const DiffusionForecast forecast =
      forecast_diffusion(neighbours, pes, {8, 0}, {.tolerance = 1.001, .most_steps = 100});
  CHECK(forecast.largest[1] == doctest::Approx(4));
  CHECK(forecast.largest[2] == doctest::Approx(8.0 / 3));
  CHECK(forecast.largest.back() <= 2 * 1.001);
}

TEST_CASE("diffusion forecast: whole objects stop short of the tolerance") {
  // The line of three as above: flows 3; 1 and 1; 2/3 and 2/3; then (13/3 - 3) / 3 = 4/9 over both links.
  // Objects of 1 s: less than 1/2 does not go, so three steps it is, though (13/3, 3, 5/3) is far from level.
  const std::vector<std::vector<PeIndex>> neighbours{{1}, {0, 2}, {1}};
  const DiffusionForecast forecast = forecast_diffusion(neighbours, uniform_pes(3), {9, 0, 0},
                                                        {.tolerance = 1, .most_steps = 100, .grain = 1});
  CHECK(forecast.steps() == 3);
  CHECK(forecast.largest.back() == doctest::Approx(13.0 / 3));
}

TEST_CASE("diffusion forecast: nothing happens where all is level") {
  const std::vector<std::vector<PeIndex>> neighbours{{1}, {0}};
  CHECK(forecast_diffusion(neighbours, uniform_pes(2), {3, 3}, {.tolerance = 1, .most_steps = 10}).steps() ==
        0);
  CHECK(forecast_diffusion(neighbours, uniform_pes(2), {0, 0}, {.tolerance = 1, .most_steps = 10}).steps() ==
        0);
}

TEST_CASE("diffusion forecast: with fine objects the strategy reaches what was forecast") {
  const Snapshot snapshot = test::make_snapshot({"", 20000, 16}, 3);
  Snapshot heap = snapshot;  // all on four PEs
  for (PeIndex& pe : heap.objects.pe) pe %= 4;
  std::vector<double> finish(16, 0);
  for (std::size_t i = 0; i < heap.object_count(); ++i) finish[heap.objects.pe[i]] += heap.objects.load[i];
  const auto forecast = forecast_diffusion(make_pe_graph("hypercube", heap), heap.pes, finish, {});
  std::vector<double> reached(16, 0);
  const Assignment pe_of = parse_strategy("diffusion:graph=hypercube").assign(heap, 1);
  for (std::size_t i = 0; i < pe_of.size(); ++i) reached[pe_of[i]] += heap.objects.load[i];
  // Each of the 4 links of a PE may miss its flow by half an object, of load 1 at most.
  CHECK(std::abs(std::ranges::max(reached) - forecast.largest.back()) <= 4 * 0.5);
}

// The line of three with half the weights: (9, 0, 0) to (7.5, 1.5, 0), then flows of 1 and 1/4: (6.5, 2.25,
// 0.25).
TEST_CASE("diffusion forecast: gamma is the part of each flow that goes") {
  const std::vector<std::vector<PeIndex>> neighbours{{1}, {0, 2}, {1}};
  const DiffusionForecast forecast = forecast_diffusion(neighbours, uniform_pes(3), {9, 0, 0},
                                                        {.tolerance = 1, .most_steps = 2, .gamma = 0.5});
  CHECK(forecast.largest[1] == doctest::Approx(7.5));
  CHECK(forecast.largest[2] == doctest::Approx(6.5));
  CHECK(forecast.busiest[2] == doctest::Approx(1.25));
}

// Rows (c) and (d) of Table 1 of Pearce et al., which differ only in how far the load has to go. On the row
// of PEs that their objects talk along it takes d longer by far; on a hypercube, whose links are not the
// application's, they look alike.
TEST_CASE("convergence steps: the graph of the objects tells what one of PEs hides") {
  const auto steps = [](const char* pattern, const char* diffusion) {
    const Snapshot snapshot = parse_generator(pattern).generate({.objects = 80, .pes = 8});
    return convergence_steps(snapshot, parse_strategy(diffusion).options);
  };
  CHECK(steps("pattern-a", "diffusion") == 0);
  CHECK(steps("pattern-c", "diffusion") == steps("pattern-c", "diffusion:graph=comm"));
  CHECK(steps("pattern-d", "diffusion") > 2 * steps("pattern-c", "diffusion"));
  CHECK(steps("pattern-d", "diffusion:graph=hypercube") <=
        steps("pattern-c", "diffusion:graph=hypercube") + 1);
  CHECK(steps("pattern-d", "diffusion:gamma=0.5") > steps("pattern-d", "diffusion"));
  CHECK(std::isinf(steps("pattern-d", "diffusion:steps=3")));
}
