// SPDX-License-Identifier: Apache-2.0
// The purpose of distributed strategies: 65,536 objects on 8,192 PEs, none of which sees all.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "lb/kernel/random.hpp"
#include "lb/kernel/usual_costs.hpp"
#include "lb/simulate/step_costs.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

using namespace skein;

namespace {

constexpr std::size_t kObjects = 65'536, kPes = 8'192;

/// Makes a snapshot with as many objects on each PE; `load(random, pe)` gives the load of an object.
template <class Load>
lb::Snapshot with_loads(Load load) {
  lb::Snapshot snapshot;
  snapshot.pes = lb::uniform_pes(kPes);
  lb::Random random(3);
  for (std::size_t i = 0; i < kObjects; ++i) {
    const auto pe = static_cast<lb::PeIndex>(i * kPes / kObjects);
    snapshot.add_object({.id = i, .pe = pe, .load = load(random, pe)});
  }
  return snapshot;
}

double exponential(lb::Random& random) { return -std::log(1 - random.unit()); }

/// Checks bounds of the result: no PE finishes before the heaviest object.
void check_bounds(const lb::Snapshot& snapshot) {
  const lb::Selection strategy = lb::parse_strategy("gossip");
  std::size_t rounds = 0;
  const lb::Assignment pe_of =
      lb::decide_in_one_process(snapshot, strategy.options, 1, strategy.info->begin, &rounds);
  const double least = std::max(lb::perfect_finish(snapshot), std::ranges::max(snapshot.objects.load));
  CHECK(lb::largest_finish(snapshot, snapshot.objects.pe) > 1.5 * least);
  CHECK(lb::largest_finish(snapshot, pe_of) <= 1.05 * least);
  CHECK(lb::movement(snapshot, pe_of).objects <= kObjects / 2);
  const simulate::Platform platform =
      simulate::with_pes(simulate::load_platform("paraplui"), static_cast<std::uint32_t>(kPes));
  CHECK(simulate::distributed_decision_time(platform, "gossip", kObjects / kPes, rounds) <= 20'000'000);
}

}  // namespace

TEST_CASE("gossip: 65,536 objects on 8,192 PEs are within 5 % of the least after 20 ms") {
  SUBCASE("uniform") {
    check_bounds(with_loads([](lb::Random& random, lb::PeIndex) { return random.unit(); }));
  }
  SUBCASE("exponential") {
    check_bounds(with_loads([](lb::Random& random, lb::PeIndex) { return exponential(random); }));
  }
  SUBCASE("lognormal") {
    check_bounds(with_loads([](lb::Random& random, lb::PeIndex) {
      const double radius = std::sqrt(2 * exponential(random));
      return std::exp(0.5 * radius * std::cos(6.283185307179586 * random.unit()));
    }));
  }
  SUBCASE("a region is ten times as heavy") {
    check_bounds(with_loads(
        [](lb::Random& random, lb::PeIndex pe) { return (0.5 + random.unit()) * (pe / 512 == 3 ? 10 : 1); }));
  }
  SUBCASE("heavier from PE to PE") {
    check_bounds(
        with_loads([](lb::Random& random, lb::PeIndex pe) { return (0.5 + random.unit()) * (1 + pe); }));
  }
}

TEST_CASE("step costs: every built-in strategy has a usual cost") {
  for (const lb::StrategyInfo& info : lb::strategies()) {
    CAPTURE(info.name);
    CHECK(lb::usual_element_ns(info.name));
  }
  CHECK_FALSE(lb::usual_element_ns("a user's own"));
}
