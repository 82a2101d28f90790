// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/interaction_sample.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lb/kernel/random.hpp"
#include "skein/lb/metrics.hpp"

using namespace skein::lb;
using doctest::Approx;

namespace {

// Objects of which the first few take part in nearly everything: a pin is object n u^3 with u uniform.
Hypergraph crowded(std::size_t objects, std::size_t hyperedges, std::uint64_t seed) {
  Random random(seed);
  std::vector<Hyperedge> made;
  for (std::size_t h = 0; h < hyperedges; ++h) {
    Hyperedge each{{}, 1 + random.unit()};
    for (std::uint32_t pins = 2 + random.below(7); pins > 0; --pins) {
      const double u = random.unit();
      const auto object = static_cast<ObjectIndex>(static_cast<double>(objects) * u * u * u);
      if (std::ranges::find(each.objects, object) == each.objects.end()) each.objects.push_back(object);
    }
    made.push_back(std::move(each));
  }
  return make_hypergraph(objects, made);
}

double expected_pins(std::span<const Sampled> sampled, std::span<const double> rates) {
  double pins = 0;
  for (std::size_t h = 0; h < rates.size(); ++h) pins += rates[h] * sampled[h].pins;
  return pins;
}

}  // namespace

// Object 1 takes part in three, 0 in two, 2 and 3 in one each.
TEST_CASE("interaction sample: a hyperedge counts by the object that has fewest") {
  const std::vector<Hyperedge> hyperedges{{{1, 0}, 1}, {{0, 1, 2}, 1}, {{1}, 1}, {{3}, 1}, {{}, 1}};
  const std::vector<Sampled> sampled = sampled_of(make_hypergraph(4, hyperedges), 4);
  REQUIRE(sampled.size() == 5);
  const double pins[] = {2, 3, 1, 1, 0}, fewest[] = {2, 1, 3, 1, 1};
  for (std::size_t h = 0; h < 5; ++h) {
    CHECK(sampled[h].pins == pins[h]);
    CHECK(sampled[h].fewest == fewest[h]);
  }
}

// d = 1, 4, 8 with 2, 4, 8 pins. With 6 pins: 2 / 1 + 4 / 4 + 8 / 8 = 4 shared, depth 6 / 4 is not below 1,
// so the first is sure; (6 - 2) / 2 = 2 is below 4, so rates are 1, 2 / 4, 2 / 8. With 2 pins the depth is 2
// / 4.
TEST_CASE("interaction sample: the depth fills the budget, by hand") {
  const std::vector<Sampled> sampled{{8, 8}, {2, 1}, {4, 4}};
  CHECK(sampling_rates(sampled, 6) == std::vector<double>{0.25, 1, 0.5});
  CHECK(sampling_rates(sampled, 2) == std::vector<double>{0.0625, 0.5, 0.125});
  CHECK(sampling_rates(sampled, 14) == std::vector<double>{1, 1, 1});
  CHECK(sampling_rates(sampled, 1e9) == std::vector<double>{1, 1, 1});
  CHECK(sampling_rates({}, 5).empty());
}

// All hyperedges are alike: the rate is the budget over all pins.
TEST_CASE("interaction sample: alike ones share the budget evenly") {
  const std::vector<Sampled> sampled(1000, {.pins = 4, .fewest = 50});
  for (const double rate : sampling_rates(sampled, 100)) CHECK(rate == Approx(100.0 / 4000));
}

TEST_CASE("interaction sample: pins are as many as asked for, in all kinds of crowds") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Hypergraph hypergraph = crowded(200, 3000, seed);
    const std::vector<Sampled> sampled = sampled_of(hypergraph, 200);
    const double largest = std::ranges::max(sampled, {}, &Sampled::pins).pins;
    for (const double most : {1.0, 40.0, 400.0, 6000.0}) {
      CAPTURE(seed);
      CAPTURE(most);
      const std::vector<double> rates = sampling_rates(sampled, most);
      CHECK(expected_pins(sampled, rates) == Approx(most));
      const std::vector<std::size_t> kept = draw_sample(sampled, rates, seed);
      const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
      CHECK(std::abs(static_cast<double>(kept.size()) - sum) < 1);
      CHECK(std::ranges::is_sorted(kept));
      const Hypergraph sample = sample_hypergraph(hypergraph, 200, most, seed);
      CHECK(sample.hyperedge_count() == kept.size());
      CHECK(static_cast<double>(sample.pin.size()) < most + largest);
    }
  }
}

// For each object the sum of the rates of its hyperedges is at least min(depth, their number), by the rule.
TEST_CASE("interaction sample: every object keeps as many of its interactions as the depth says") {
  const Hypergraph hypergraph = crowded(300, 4000, 3);
  const std::vector<Sampled> sampled = sampled_of(hypergraph, 300);
  const std::vector<double> rates = sampling_rates(sampled, 2000);
  double depth = 0;  // of the hyperedges that are not sure, rate * d
  for (std::size_t h = 0; h < rates.size(); ++h)
    if (rates[h] < 1) depth = rates[h] * sampled[h].fewest;
  REQUIRE(depth > 0);
  std::vector<double> kept(300, 0), all(300, 0);
  for (std::size_t h = 0; h < rates.size(); ++h) {
    for (const ObjectIndex i : hypergraph.pins(h)) {
      kept[i] += rates[h];
      ++all[i];
    }
  }
  std::size_t crowds = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    CHECK(kept[i] >= std::min(depth, all[i]) * (1 - 1e-9));
    crowds += all[i] > depth;
  }
  CHECK(crowds > 10);
}

// Systematic sampling draws a uniform start: over many seeds each hyperedge is kept by its rate. Over 4,000
// draws the share has a standard deviation of at most 0.5 / sqrt(4000) = 0.0079; the test allows five of
// these.
TEST_CASE("interaction sample: each is drawn by its rate") {
  const Hypergraph hypergraph = crowded(40, 150, 5);
  const std::vector<Sampled> sampled = sampled_of(hypergraph, 40);
  const std::vector<double> rates = sampling_rates(sampled, 200);
  std::vector<double> drawn(rates.size(), 0);
  constexpr int kDraws = 4000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed)
    for (const std::size_t h : draw_sample(sampled, rates, seed)) drawn[h] += 1.0 / kDraws;
  for (std::size_t h = 0; h < rates.size(); ++h) CHECK(std::abs(drawn[h] - rates[h]) < 5 * 0.0079);
}

// The estimate of one sample has some deviation s; the mean of 2,000 has s / sqrt(2000), of which the test
// allows five. s is taken from the estimates themselves; the test also checks that s is far below the
// estimated cut.
TEST_CASE("interaction sample: the cut of a placement is estimated without bias") {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(7);
  Random random(9);
  for (std::uint64_t i = 0; i < 100; ++i) snapshot.add_object({.id = i, .pe = random.below(7)});
  const Hypergraph all = snapshot.hypergraph = crowded(100, 2000, 11);
  const double cut = connectivity(snapshot, snapshot.objects.pe).cut_bytes;
  double sum = 0, squares = 0;
  constexpr int kDraws = 2000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    snapshot.hypergraph = sample_hypergraph(all, 100, 1000, seed);
    const double estimate = connectivity(snapshot, snapshot.objects.pe).cut_bytes;
    sum += estimate;
    squares += estimate * estimate;
  }
  const double mean = sum / kDraws, deviation = std::sqrt(squares / kDraws - mean * mean);
  CHECK(deviation < 0.2 * cut);
  CHECK(std::abs(mean - cut) < 5 * deviation / std::sqrt(kDraws));
}

TEST_CASE("interaction sample: the seed decides, and a small hypergraph is taken whole") {
  const Hypergraph hypergraph = crowded(100, 1000, 2);
  const Hypergraph one = sample_hypergraph(hypergraph, 100, 500, 1);
  CHECK(one.pin == sample_hypergraph(hypergraph, 100, 500, 1).pin);
  CHECK(one.bytes == sample_hypergraph(hypergraph, 100, 500, 1).bytes);
  CHECK(one.pin != sample_hypergraph(hypergraph, 100, 500, 2).pin);
  const auto pins = static_cast<double>(hypergraph.pin.size());
  CHECK(sample_hypergraph(hypergraph, 100, pins, 1).bytes == hypergraph.bytes);
  CHECK(sample_hypergraph({}, 100, 500, 1).empty());
}
