// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/metrics.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "skein/lb/compare.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;
using doctest::Approx;

// Loads 1, 2, 3, 6: mean 3, deviations -2, -1, 0, 3. Second moment (4 + 1 + 0 + 9) / 4 = 3.5; third (-8 - 1 +
// 0 + 27) / 4 = 4.5; fourth (16 + 1 + 0 + 81) / 4 = 24.5.
static const std::vector<double> kLoads{1, 2, 3, 6};

TEST_CASE("metrics: moments of four loads worked out by hand") {
  CHECK(percent_imbalance(kLoads) == Approx(100));
  CHECK(standard_deviation(kLoads) == Approx(std::sqrt(3.5)));
  CHECK(skewness(kLoads) == Approx(4.5 / std::pow(3.5, 1.5)));
  CHECK(kurtosis(kLoads) == Approx(24.5 / 12.25 - 3));
}

TEST_CASE("metrics: equal, zero and missing loads have neither imbalance nor moments") {
  for (const std::vector<double>& loads :
       {std::vector<double>(3, 0.1), std::vector<double>(4, 0.0), {}, {7.0}}) {
    CHECK(percent_imbalance(loads) == 0);
    CHECK(standard_deviation(loads) == Approx(0));
    CHECK(skewness(loads) == 0);
    CHECK(kurtosis(loads) == 0);
  }
}

TEST_CASE("metrics: moments do not depend on scale, a mirrored distribution has the opposite skewness") {
  const std::vector<double> scaled{10, 20, 30, 60}, mirrored{6, 5, 4, 1};
  CHECK(skewness(scaled) == Approx(skewness(kLoads)));
  CHECK(kurtosis(scaled) == Approx(kurtosis(kLoads)));
  CHECK(skewness(mirrored) == Approx(-skewness(kLoads)));
}

// PE 0 (speed 2): loads 4 and 2, background 1: finishes after 1 + 6/2 = 4. PE 1 (speed 1): load 3: after 3.
// Work (4 + 2 + 3) + 1 s x 2 = 11 over speed 3: perfect finish 11/3; imbalance (4 / (11/3) - 1) x 100 =
// 100/11.
TEST_CASE("metrics: finish times and imbalance count speed and background") {
  Snapshot snapshot = test::make_snapshot(2, {4, 2, 3}, {0, 0, 1});
  snapshot.pes.speed = {2, 1};
  snapshot.pes.background_s = {1, 0};
  CHECK(finish_times(snapshot, snapshot.objects.pe) == std::vector<double>{4, 3});
  CHECK(perfect_finish(snapshot) == Approx(11.0 / 3));
  CHECK(percent_imbalance(snapshot, snapshot.objects.pe) == Approx(100.0 / 11));
}

// Object 0 goes from PE 0 to 1, object 2 from 2 to 0, object 3 from 2 to 1. PE 1 gets two objects of 10 + 5
// bytes, PE 0 one of 3000; PE 2 gives two of 3000 + 5.
TEST_CASE("metrics: movement counts objects and bytes, and the most in and out of a PE") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1, 1}, {0, 1, 2, 2});
  snapshot.objects.bytes = {10, 200, 3000, 5};
  const Movement moved = movement(snapshot, Assignment{1, 1, 0, 1});
  CHECK(moved.objects == 3);
  CHECK(moved.bytes == 3015);
  CHECK(moved.max_in_objects == 2);
  CHECK(moved.max_out_objects == 2);
  CHECK(moved.max_in_bytes == 3000);
  CHECK(moved.max_out_bytes == 3005);
}

// No ties: 1 - 6 sum(d^2) / (n (n^2 - 1)) with ranks 1 2 3 4 5 against 2 1 4 3 5: d^2 sums to 4, 1 - 24/120.
// With ties: model ranks 1, 2.5, 2.5, 4, measured 1, 2, 3, 4. Deviations from 2.5: products 2.25 + 0 + 0 +
// 2.25 = 4.5; squares 4.5 and 5: 4.5 / sqrt(22.5).
TEST_CASE("metrics: rank correlation by Spearman's formula, with ties by hand") {
  CHECK(rank_correlation(std::vector{10., 20., 30., 40., 50.}, std::vector{2., 1., 40., 3., 500.}) ==
        Approx(0.8));
  CHECK(rank_correlation(std::vector{1., 2., 2., 9.}, std::vector{5., 6., 7., 8.}) ==
        Approx(4.5 / std::sqrt(22.5)));
  CHECK(rank_correlation(std::vector{1., 2., 3.}, std::vector{0.1, 0.2, 100.}) == Approx(1));
  CHECK(rank_correlation(std::vector{1., 2., 3.}, std::vector{3., 2., 1.}) == Approx(-1));
  CHECK(rank_correlation(std::vector{1., 1., 1.}, std::vector{3., 2., 1.}) == 0);
  CHECK(rank_correlation({}, {}) == 0);
  CHECK_THROWS_AS(rank_correlation(std::vector{1.}, std::vector{1., 2.}), std::invalid_argument);
}

// Differences 1, -2, 2: root of 9 / 3.
TEST_CASE("metrics: RMSE by hand") {
  CHECK(rmse(std::vector{1., 2., 5.}, std::vector{0., 4., 3.}) == Approx(std::sqrt(3)));
  CHECK(rmse({}, {}) == 0);
  CHECK_THROWS_AS(rmse(std::vector{1.}, {}), std::invalid_argument);
}

// Step 0: loads 4 0 1 3, mean 2: ratio 2; (4 - 1) / 1 - (4 - 1) / 2 = 3/2 and (4 - 3) / 3 - (4 - 3) / 2 =
// -1/6 have a sum of squares of 41/18, over 4 - 1; one of four idle. Step 1: 3 3 3 3: 1, 0, 0. Step 2 has no
// load and does not count.
TEST_CASE("metrics: utilisation is the mean over the steps with load") {
  const std::vector<std::vector<double>> steps{{4, 0, 1, 3}, {3, 3, 3, 3}, {0, 0, 0, 0}};
  const Utilisation result = utilisation(steps);
  CHECK(result.imbalance_ratio == Approx(1.5));
  CHECK(result.average_deviation == Approx(std::sqrt(41.0 / 54) / 2));
  CHECK(result.idle_percentage == Approx(12.5));
  CHECK(utilisation({}).imbalance_ratio == 1);
  CHECK(utilisation(std::vector<std::vector<double>>{{2}}).average_deviation == 0);  // P - 1 is 0
}

// Objects 0, 1 on PE 0, object 2 on PE 1, object 3 on PE 2. 0->1: 5 local. 0->2: 7, 1->2: 11, 2->0: 1, 3->2:
// 2 remote. Out: PE 0 18, PE 1 1, PE 2 2. In: PE 0 1, PE 1 20.
TEST_CASE("metrics: communication between and inside PEs worked out by hand") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1, 1}, {0, 0, 1, 2});
  const std::vector<CommEdge> edges{{0, 1, 5}, {0, 2, 7}, {1, 2, 11}, {2, 0, 1}, {3, 2, 2}};
  snapshot.graph = make_comm_graph(4, edges);
  const Communication sum = communication(snapshot, snapshot.objects.pe);
  CHECK(sum.local_bytes == Approx(5));
  CHECK(sum.remote_bytes == Approx(21));
  CHECK(sum.max_out_bytes == Approx(18));
  CHECK(sum.max_in_bytes == Approx(20));
  CHECK(sum.cut_edges == 4);
  CHECK(sum.remote_to_local() == Approx(4.2));
  CHECK(communication(snapshot, Assignment{1, 1, 1, 1}).remote_to_local() == 0);
  CHECK(std::isinf(communication(snapshot, Assignment{0, 1, 2, 1}).remote_to_local()));
}

// Speeds 1 and 3: 8 and 2 s are 8 + 6 of work, for 4 of speed.
TEST_CASE("metrics: the perfect finish time is the same from objects and from any finish times") {
  Snapshot snapshot = test::make_snapshot(2, {5, 3, 4}, {0, 0, 1});
  snapshot.pes.speed = {1, 3};
  snapshot.pes.background_s = {0, 2.0 / 3};
  const std::vector<double> finish = finish_times(snapshot, snapshot.objects.pe);
  CHECK(perfect_finish(snapshot.pes, finish) == Approx(3.5));
  CHECK(perfect_finish(snapshot) == Approx(3.5));
  CHECK(perfect_finish(snapshot.pes, finish_times(snapshot, Assignment{1, 0, 0})) == Approx(3.5));
}

// Block 0 of 1000 bytes is at home on PE 0, block 1 of 100 on PE 1. PE 0 has objects 0 and 1 (100 each) and
// block 0; PE 1 has objects 2 and 3 and blocks 0 and 1. Then all are on PE 0.
TEST_CASE("metrics: a PE holds a block once, and away from home it is told") {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1}, {0, 0, 1, 1});
  snapshot.blocks = {{0, 0, 0, 1}, {1000, 100}, {0, 1}};
  CHECK(held_bytes(snapshot, snapshot.objects.pe) == std::vector<std::uint64_t>{1200, 1300});
  CHECK(away_bytes(snapshot, snapshot.objects.pe) == 1000);
  const Assignment all_here{0, 0, 0, 0};
  CHECK(held_bytes(snapshot, all_here) == std::vector<std::uint64_t>{1500, 0});
  CHECK(away_bytes(snapshot, all_here) == 100);
  CHECK(merit_of(snapshot, {all_here, {}}, {}).away_bytes == 100);
  snapshot.blocks = {};
  CHECK(held_bytes(snapshot, snapshot.objects.pe) == std::vector<std::uint64_t>{200, 200});
  CHECK(away_bytes(snapshot, snapshot.objects.pe) == 0);
}

// By hand: {0, 1, 2} is on PEs 0, 1, 2 and costs 2 x 10; {0, 3} on PE 0 alone; {1, 2, 4} on PEs 1, 2, 1.
TEST_CASE("metrics: a hyperedge costs its bytes for each PE but one that it reaches") {
  Snapshot snapshot = test::make_snapshot(3, {1, 1, 1, 1, 1}, {0, 1, 2, 0, 1});
  const std::vector<Hyperedge> hyperedges{{{0, 1, 2}, 10}, {{0, 3}, 100}, {{1, 2, 4}, 3}, {{4}, 7}};
  CHECK(connectivity(snapshot, snapshot.objects.pe).cut_bytes == 0);
  snapshot.hypergraph = make_hypergraph(5, hyperedges);
  CHECK(connectivity(snapshot, snapshot.objects.pe).cut_bytes == 23);
  CHECK(connectivity(snapshot, snapshot.objects.pe).cut_hyperedges == 2);
}
