// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "lb/kernel/nearest_cell.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

// Returns a square board of side x side objects at unit distance, divided by columns: each PE gets as many.
Snapshot make_board(ObjectIndex side, PeIndex pes) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(pes);
  for (ObjectIndex i = 0; i < side * side; ++i) {
    snapshot.add_object({.id = i, .pe = i % side * pes / side, .load = 1});
    snapshot.objects.position.push_back({static_cast<float>(i % side), static_cast<float>(i / side), 0});
  }
  return snapshot;
}

}  // namespace

TEST_CASE("nearest cell: the same as looking at all of them") {
  Random random(3);
  std::vector<Cell> cells(60);
  for (Cell& cell : cells) cell = {{random.unit(), random.unit(), random.unit()}, random.unit() * 0.1};
  const NearestCell nearest(cells);
  for (int k = 0; k < 1000; ++k) {
    const std::array<float, 3> x{static_cast<float>(random.unit()), static_cast<float>(random.unit()),
                                 static_cast<float>(random.unit())};
    const auto power = [&](PeIndex cell) {
      double sum = -cells[cell].bias;
      for (std::size_t d = 0; d < 3; ++d)
        sum += (x[d] - cells[cell].centre[d]) * (x[d] - cells[cell].centre[d]);
      return sum;
    };
    double least = power(0);
    for (PeIndex cell = 1; cell < cells.size(); ++cell) least = std::min(least, power(cell));
    REQUIRE(power(nearest.find(x, random.below(60))) == doctest::Approx(least));
  }
}

// Ten objects on a line at 0 to 9: loads 1, but 4 for the first four. PE 0 has 0 to 4 (17), PE 1 the rest
// (5). Perfect is 11: the border that is nearest to it lies between 2 and 3 (12 | 10), which a cell border on
// a line can reach: every prefix can be the cell of PE 0.
TEST_CASE("koradi: on a line the border moves to where the loads are most alike") {
  Snapshot snapshot = test::make_snapshot(2, {4, 4, 4, 4, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  for (int i = 0; i < 10; ++i) snapshot.objects.position.push_back({static_cast<float>(i), 0, 0});
  CHECK(parse_strategy("koradi").assign(snapshot, 1) == Assignment{0, 0, 0, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("koradi: balanced cells are left alone") {
  const Snapshot snapshot = make_board(8, 4);
  CHECK(parse_strategy("koradi").assign(snapshot, 1) == snapshot.objects.pe);
}

// Random points in a square, cut into 9 columns; those in a corner of 1/4 x 1/2 have 4 times the load of the
// others. A PE has some 256 objects of at most 1.2 % of its load, and no two have the same x or y: borders
// can be put finely enough, from either start.
TEST_CASE("koradi: a hot spot is shared, from present cells and from boxes") {
  Random random(1);
  Snapshot snapshot;
  snapshot.pes = uniform_pes(9);
  for (ObjectIndex i = 0; i < 2304; ++i) {
    const double x = random.unit(), y = random.unit();
    snapshot.add_object(
        {.id = i, .pe = static_cast<PeIndex>(x * 9), .load = x < 0.25 && y < 0.5 ? 4.0 : 1.0});
    snapshot.objects.position.push_back({static_cast<float>(x), static_cast<float>(y), 0});
  }
  CHECK(percent_imbalance(snapshot, snapshot.objects.pe) > 75);
  for (const char* text : {"koradi:tolerance=1.05", "koradi:tolerance=1.05,start=rcb"}) {
    CAPTURE(text);
    CHECK(percent_imbalance(snapshot, parse_strategy(text).assign(snapshot, 1)) <= 5);
  }
}

TEST_CASE("koradi: a PE without objects gets some") {
  Snapshot snapshot = make_board(20, 2);
  snapshot.pes = uniform_pes(3);
  const Assignment pe_of = parse_strategy("koradi:tolerance=1.1").assign(snapshot, 1);
  CHECK(percent_imbalance(snapshot, pe_of) <= 10);
}

// Cells are all that a step leaves to the next one: so several steps at once give the same as one by one.
TEST_CASE("koradi: one step at a time comes to what all steps come to at once") {
  Random random(2);
  Snapshot now;
  now.pes = uniform_pes(9);
  for (ObjectIndex i = 0; i < 2304; ++i) {
    const double x = random.unit(), y = random.unit();
    now.add_object({.id = i, .pe = static_cast<PeIndex>(x * 9), .load = x < 0.25 && y < 0.5 ? 4.0 : 1.0});
    now.objects.position.push_back({static_cast<float>(x), static_cast<float>(y), 0});
  }
  const double before = percent_imbalance(now, now.objects.pe);
  const Assignment at_once = parse_strategy("koradi:tolerance=1.05,steps=100").assign(now, 1);
  for (int step = 0; step < 100; ++step) {
    Decision decision = parse_strategy("koradi:tolerance=1.05,every_step").decide(now, 1);
    now.objects.pe = std::move(decision.pe_of);
    now.pes.cells = std::move(decision.cells);
    if (step == 0) CHECK(percent_imbalance(now, now.objects.pe) > before / 2);
  }
  CHECK(percent_imbalance(now, now.objects.pe) <= 5);
  CHECK(now.objects.pe == at_once);
}

TEST_CASE("koradi: every_step follows loads that change") {
  Snapshot snapshot = make_board(48, 6);
  const Selection koradi = parse_strategy("koradi:every_step");
  CHECK(koradi.acts_at_every_point());
  double stayed = 0, followed = 0;
  const Assignment first = snapshot.objects.pe;
  for (int step = 0; step < 400; ++step) {
    // A hot spot moves from left to right.
    for (ObjectIndex i = 0; i < snapshot.object_count(); ++i)
      snapshot.objects.load[i] = std::abs(static_cast<int>(i % 48) - step / 9) < 4 ? 3 : 1;
    stayed += percent_imbalance(snapshot, first) / 400;
    followed += percent_imbalance(snapshot, snapshot.objects.pe) / 400;
    Decision decision = koradi.decide(snapshot, 1);
    snapshot.objects.pe = std::move(decision.pe_of);
    snapshot.pes.cells = std::move(decision.cells);
  }
  CAPTURE(stayed);
  CAPTURE(followed);
  CHECK(followed < stayed / 2);
}
