// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/compare.hpp"

#include <doctest/doctest.h>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;
using doctest::Approx;

// Loads 4, 2, 1, 1 all on the first of two PEs: imbalance 100 %, an interval takes 8. Greedy puts 4 | 2 1 1,
// so three objects of 100 B move and an interval takes 4. Moves cost 0.5 s an object and 0.001 s a byte at
// each PE: 3 x (0.5 + 0.1) = 1.8. Over 10 intervals: none 80, greedy 1.8 + 40 = 41.8, rotate moves all to PE
// 1: 4 x 0.6 + 80 = 82.4. Nothing talks, so refine-comm and rcb lack their data.
TEST_CASE("compare: rows worked out by hand, the best first, the impossible last") {
  const Snapshot snapshot = test::make_snapshot(2, {4, 2, 1, 1}, {0, 0, 0, 0});
  CompareInput input;
  input.cost.object_s = 0.5;
  input.cost.byte_s = 0.001;
  input.steps = 10;
  const auto rows = compare(snapshot, parse_candidates("rcb,rotate,none,refine-comm,greedy"), input);
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].strategy == "greedy");
  CHECK(rows[0].merit.imbalance == 0);
  CHECK(rows[0].merit.movement.objects == 3);
  CHECK(rows[0].merit.movement.bytes == 300);
  CHECK(rows[0].merit.movement_s == Approx(1.8));
  CHECK(rows[0].merit.step_s == 4);
  CHECK(rows[0].total_s == Approx(41.8));
  CHECK(rows[1].strategy == "none");
  CHECK(rows[1].total_s == 80);
  CHECK(rows[1].merit.imbalance == Approx(100));
  CHECK(rows[2].strategy == "rotate");
  CHECK(rows[2].total_s == Approx(82.4));
  CHECK(rows[3].strategy == "rcb");
  CHECK(rows[3].why == "strategy 'rcb' needs positions of the objects, which were not given");
  CHECK(rows[4].strategy == "refine-comm");
  CHECK(rows[4].why == "strategy 'refine-comm' needs the communication graph, which was not recorded");
}

// As above: of auto's candidates greedy and its like reach 4 with the moves of at least 4 s of load, 2 | 1 1
// or the 4 alone: one object, 0.6 s. 0.6 + 10 x 4 = 40.6 is the least there is.
TEST_CASE("compare: a row for what the model would choose") {
  const Snapshot snapshot = test::make_snapshot(2, {4, 2, 1, 1}, {0, 0, 0, 0});
  CompareInput input;
  input.cost.object_s = 0.5;
  input.cost.byte_s = 0.001;
  input.steps = 10;
  const auto rows = compare(snapshot, parse_candidates("none,auto"), input);
  CHECK(rows.at(0).strategy == "auto");
  CHECK(rows.at(0).chosen != "none");
  CHECK(rows.at(0).total_s == Approx(40.6));
  // With moves that cost more than there is to gain, it stays.
  input.cost.object_s = 1000;
  const auto dear = compare(snapshot, parse_candidates("auto:horizon=3"), input);
  CHECK(dear.at(0).chosen == "none");
  CHECK(dear.at(0).merit.movement.objects == 0);
}

// Loads 4 and 2 on the first of two PEs; the mean is 3. The 2 would bring the other PE to less than 3 / 1.2,
// so three quarters of the 4 are cut off if they may be, and else the 2 goes. What is moved is 75 B: 0.5 +
// 0.075 s. Over 10 intervals of 3 s that is 30.6 s; without cutting 0.6 + 40 s.
TEST_CASE("compare: objects that may be split are split by strategies that do so") {
  Snapshot snapshot = test::make_snapshot(2, {4, 2}, {0, 0});
  CompareInput input;
  input.cost.object_s = 0.5;
  input.cost.byte_s = 0.001;
  input.steps = 10;
  CHECK(compare(snapshot, parse_candidates("move-split"), input).at(0).merit.step_s == 4);
  snapshot.objects.splittable = {1, 0};
  const Merit merit = compare(snapshot, parse_candidates("move-split"), input).at(0).merit;
  CHECK(merit.parts == 1);
  CHECK(merit.imbalance == Approx(0));
  CHECK(merit.step_s == Approx(3));
  CHECK(merit.movement.objects == 1);
  CHECK(merit.movement_s == Approx(0.575));
  CHECK(compare(snapshot, parse_candidates("auto"), input).at(0).chosen == "move-split");
}

// The clock goes on by one second with each look: a decision takes 1 s.
TEST_CASE("compare: deciding is part of the total") {
  static double now;
  now = 0;
  CompareInput input;
  input.clock = [] { return now += 1; };
  input.steps = 1;
  const auto rows = compare(test::make_snapshot(2, {1, 1}, {0, 0}), parse_candidates("greedy"), input);
  CHECK(rows.at(0).decision_s == 1);
  CHECK(rows.at(0).total_s == 2);
}

TEST_CASE("compare: lists of strategies with keys") {
  const auto texts = [](std::string_view list) {
    std::vector<std::string> names;
    for (const Candidate& candidate : parse_candidates(list)) names.push_back(candidate.text);
    return names;
  };
  CHECK(texts("all").size() == strategies().size() + 1);  // and auto
  CHECK(texts("greedy,hierarchical:node=refine,pe=greedy,none") ==
        std::vector<std::string>{"greedy", "hierarchical:node=refine,pe=greedy", "none"});
  CHECK_THROWS_AS(parse_candidates("greedy,,none"), StrategyError);
  CHECK_THROWS_AS(parse_candidates("greedy,tolerance=2"), StrategyError);
  CHECK_THROWS_AS(parse_candidates(""), StrategyError);
}

// Six objects on PEs 1 0 1 0 0 0 in the order of PEs: 1 3 4 5 | 0 2; cut in three: 1 3 | 4 5 | 0 2.
TEST_CASE("compare: another number of PEs keeps neighbours together") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 1, 1, 1}, {1, 0, 1, 0, 0, 0});
  CHECK(with_pes(snapshot, 3).objects.pe == std::vector<PeIndex>{2, 0, 2, 0, 1, 1});
  CHECK(with_pes(snapshot, 3).pe_count() == 3);
  CHECK(with_pes(snapshot, 2).objects.pe == snapshot.objects.pe);
  CHECK(with_pes(snapshot, 100).objects.pe.at(0) == 66);  // fifth of six: 4 x 100 / 6
}
