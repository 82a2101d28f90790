// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lb/kernel/pe_graph.hpp"
#include "lb/kernel/usual_costs.hpp"
#include "skein/lb/diffusion_forecast.hpp"
#include "skein/lb/metrics.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

const Prediction& row_of(const Choice& choice, std::string_view strategy) {
  return *std::ranges::find(choice.rows, strategy, &Prediction::strategy);
}

// The worked decision of docs/strategies.md: ranks 0 to 2 of 1 s each on PE 0, 3 and 4 of 0.5 s each on PE 1,
// 100 MB each; 0 sends 200 MB to 3 in an interval, and 1 as much to 2.
Snapshot worked_example() {
  Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 0.5, 0.5}, {0, 0, 0, 1, 1});
  std::ranges::fill(snapshot.objects.bytes, 100'000'000u);
  const std::vector<CommEdge> edges{{0, 3, 200e6}, {1, 2, 200e6}};
  snapshot.graph = make_comm_graph(5, edges);
  return snapshot;
}
constexpr CostModel kWorkedCost{.object_s = 0.001, .byte_s = 1e-9, .remote_byte_s = 1e-9, .meeting_s = 0.009};

// Three PEs in a line with 9, 0, 0 objects of 1 s and 100 bytes. Steps of diffusion lower the largest finish
// time to 6, 5, 13/3 and handle 3, 2, 4/3 at the busiest PE (diffusion_forecast_test.cpp).
Snapshot nine_on_the_first() {
  return test::make_snapshot(3, std::vector<double>(9, 1), std::vector<PeIndex>(9, 0));
}
// A mesh of three PEs is a line.
const std::vector<Selection> kStepwise{parse_strategy("diffusion:every_step,graph=mesh,gamma=1")};

}  // namespace

TEST_CASE("model: the worked decision of docs/strategies.md") {
  const Snapshot snapshot = worked_example();
  const std::vector<Selection> candidates{parse_strategy("refine"), parse_strategy("refine-comm")};
  const ChoiceInput input{candidates, kWorkedCost, {10, {1, 0.5}}};
  const Choice choice = choose(snapshot, {}, input);

  // Half of a gain is left after each interval: 0.5 + 0.25 + ... + 0.5^10 = 1 - 2^-10 intervals.
  const double counted = 1 - std::pow(0.5, 10);
  CHECK(input.horizon.effective() == doctest::Approx(counted));
  // None: PE 0 computes 3 s and spends 200 MB * 1 ns = 0.2 s on what 0 sends to 3.
  CHECK(choice.rows[0].step_s == doctest::Approx(3.2));
  CHECK(choice.rows[0].total_s == doctest::Approx(32));
  // An unknown strategy is assumed to cost 1 us for each of 5 ranks, 2 PEs and 2 edges.
  const double decision = 9e-6;
  // refine moves the last of the three equal ranks, 2: its partner 1 stays, so both pairs talk between PEs:
  // 2 + 0.4 s. Moving takes 0.001 + 100 MB * 1 ns = 0.101 s, the meeting 0.009 s.
  const Prediction& refine = row_of(choice, "refine");
  CHECK(refine.worked_out);
  CHECK(refine.movement_s == doctest::Approx(0.11));
  CHECK(refine.step_s == doctest::Approx(2.4));
  CHECK(refine.total_s == doctest::Approx(decision + 0.11 + 32 - 0.8 * counted));
  // refine-comm moves 0 to its partner: 2 s and no message between PEs.
  const Prediction& comm = row_of(choice, "refine-comm");
  CHECK(comm.worked_out);
  CHECK(comm.movement_s == doctest::Approx(0.11));
  CHECK(comm.step_s == doctest::Approx(2.0));
  CHECK(comm.total_s == doctest::Approx(decision + 0.11 + 32 - 1.2 * counted));
  CHECK(choice.row().strategy == "refine-comm");
  CHECK(choice.assignment == Assignment{1, 0, 0, 1, 1});
  CHECK(choice.gain_s() == doctest::Approx(1.2 * counted - decision - 0.11));
}

TEST_CASE("model: a gain that does not last is not bought") {
  // Only 5 % of a gain is left after an interval: 0.0526 of 1.2 s is less than 0.11 s.
  const Snapshot snapshot = worked_example();
  const std::vector<Selection> candidates{parse_strategy("refine"), parse_strategy("refine-comm")};
  const Choice choice = choose(snapshot, {}, {candidates, kWorkedCost, {10, {1, 0.05}}});
  CHECK(choice.chosen == 0);
  CHECK(choice.assignment == snapshot.objects.pe);
  CHECK(choice.trials.empty());  // decided without working any strategy out
}

// 10 | 5 + 4.8 | 5 + 4.8 | 0 | 0: no move gets below the object of 10, but of three PEs that finish nearly at
// once one will be late.
TEST_CASE("model: where loads are uncertain it pays to relieve PEs that are nearly the fullest") {
  const Snapshot snapshot = test::make_snapshot(5, {10, 5, 4.8, 5, 4.8}, {0, 1, 1, 2, 2});
  const std::vector<Selection> candidates{parse_strategy("refine")};
  const auto chosen = [&](double spread) {
    const CostModel cost{.object_s = 0.1};
    return choose(snapshot, {}, {candidates, cost, {10, {.spread = spread}}});
  };
  CHECK(chosen(0).row().strategy == "none");
  const Choice choice = chosen(0.05);
  CHECK(choice.row().strategy == "refine");
  CHECK(choice.rows[0].step_s == doctest::Approx(10.137).epsilon(5e-4));  // 400,000 draws
}

TEST_CASE("model: a decision that costs more than there is to gain is not worked out") {
  const Snapshot snapshot = test::make_snapshot(2, {3, 1, 1, 1}, {0, 0, 1, 1});
  Learned learned;
  // refine took 100 s for these 6 elements; there is 1 s to gain in each of 10 intervals.
  learned.learn(snapshot, {"refine", 100, {}});
  const std::vector<Selection> candidates{parse_strategy("refine")};
  const Choice choice = choose(snapshot, learned, {candidates, {}, {10, 1}});
  CHECK(choice.chosen == 0);
  CHECK(choice.trials.empty());
  CHECK(row_of(choice, "refine").decision_s == doctest::Approx(100));
}

TEST_CASE("model: of equal totals the present placement wins") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 1}, {0, 1});
  const auto candidates = candidates_for(snapshot);
  const Choice choice = choose(snapshot, {}, {candidates, {}, {100, 1}});
  CHECK(choice.chosen == 0);
}

TEST_CASE("model: what is chosen has the least total of all rows, and was worked out") {
  for (const test::Kind& kind : test::all_kinds()) {
    if (kind.objects == 0) continue;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Snapshot snapshot = test::make_snapshot(kind, seed);
      const CostModel cost{1e-3, 1e-8, 1e-6, 1e-8, 1e-3};
      const auto candidates = candidates_for(snapshot);
      const Horizon horizon{static_cast<double>(seed * seed), {1, seed % 2 ? 1 : 0.8}};
      const Choice choice = choose(snapshot, {}, {candidates, cost, horizon, seed});
      CAPTURE(kind.name);
      const double to_pay = choice.row().total_s - choice.row().decision_s;
      for (const Prediction& row : choice.rows)
        CHECK(to_pay <= row.total_s - (row.worked_out ? row.decision_s : 0));
      REQUIRE(choice.row().worked_out);
      // The row gives the costs of the assignment.
      CHECK(choice.row().step_s ==
            doctest::Approx(interval_seconds(snapshot, {choice.assignment, {}}, cost)));
      const double moves =
          choice.chosen == 0 ? 0 : movement_seconds(snapshot, choice.assignment, cost) + 1e-3;
      CHECK(choice.row().movement_s == doctest::Approx(moves));
      CHECK(choice.assignment ==
            choose(Snapshot(snapshot), {}, {candidates, cost, horizon, seed}).assignment);
    }
  }
}

TEST_CASE("model: what was seen of strategies is what is predicted of them on the like") {
  // Many equal objects: greedy leaves next to no imbalance, moves nearly all objects and scatters them;
  // refine moves only the surplus. The model must predict this for a second snapshot of the kind, without
  // working anything out.
  const test::Kind kind{"", 4000, 8};
  const CostModel cost{1e-4, 0, 0, 0, 0};
  Learned learned;
  const std::vector<Selection> candidates{parse_strategy("greedy"), parse_strategy("refine")};
  for (const Selection& one : candidates) {
    const Snapshot first = test::make_snapshot(kind, 1);
    const Choice choice = choose(first, {}, {std::span(&one, 1), cost, {1e9, 1}});
    REQUIRE(choice.trials.size() == 1);
    learned.learn(first, choice.trials[0]);
  }
  const Snapshot second = test::make_snapshot(kind, 2);
  const Choice predicted = choose(second, learned, {candidates, cost, {1e-9, 1}});
  REQUIRE(predicted.trials.empty());
  for (const Selection& one : candidates) {
    const Prediction& row = row_of(predicted, one.info->name);
    const Assignment real = one.assign(second, 1);
    CAPTURE(one.info->name);
    CHECK(row.step_s == doctest::Approx(interval_seconds(second, {real, {}}, cost)).epsilon(0.02));
    CHECK(row.movement_s == doctest::Approx(movement_seconds(second, real, cost)).epsilon(0.15));
  }
}

TEST_CASE("model: stepwise diffusion is paid and gains step by step") {
  const Snapshot snapshot = nine_on_the_first();
  // An object, which is a second of load, takes 0.1 s to move; no PE has more than 2 neighbours to tell, at
  // 0.01 s each. Each of the three steps that move something costs 0.2 s of rebuilding.
  const CostModel cost{.byte_s = 0.001, .remote_message_s = 0.01, .rebuild_s = 0.2};
  const Choice choice = choose(snapshot, {}, {.candidates = kStepwise, .cost = cost, .horizon = {3}});
  const Prediction& row = row_of(choice, "diffusion:every_step");
  // An unknown strategy is assumed to take 0.1 us for each of 9 objects and 3 PEs.
  CHECK(row.decision_s == doctest::Approx(3 * (2 * 0.01 + 12e-7)));
  CHECK(row.movement_s == doctest::Approx((3 + 2 + 4.0 / 3) * 0.1 + 3 * 0.2));
  CHECK(row.total_s == doctest::Approx(row.decision_s + row.movement_s + 6 + 5 + 13.0 / 3));
  CHECK(choice.row().strategy == "diffusion:every_step");  // none takes 27 s
  // One step is made: the first PE has three objects to give to its only neighbour.
  CHECK(finish_times(snapshot, choice.assignment) == std::vector<double>{6, 3, 0});
}

// The 9 s on the first PE become 6, 5 and 13/3 s, so 3, 4 and 14/3 s are gained, of which a half, a quarter
// and an eighth are left. Half of the perfect finish time of 3 s returns in each interval. Of the present
// excess of 6 s, a step leaves 3 s and two leave 2 s: so of the 1.5 s that returned in an interval 0.75 and
// 0.5 s. Of the 4.5 s that have returned by the third interval 1.5 + 0.75 + 0.5 s are still there. To level
// them, the busiest PE sends in a step a quarter of what it sent for the 6 s: 3, then 3 + 2 s.
TEST_CASE("model: stepwise diffusion levels what returns in as many steps as what is there") {
  const Choice choice =
      choose(nine_on_the_first(), {},
             {.candidates = kStepwise, .cost = {.byte_s = 0.001}, .horizon = {3, {1, 0.5, 0.5}}});
  const Prediction& row = row_of(choice, "diffusion:every_step");
  const double kept = 3.0 / 2 + 4.0 / 4 + 14.0 / 3 / 8;
  const double spared = (1.5 - 1.5) + (3 - 2.25) + (4.5 - 2.75);
  CHECK(row.movement_s == doctest::Approx((3 + 2 + 4.0 / 3 + (3 + 5) / 4.0) * 0.1));
  CHECK(row.total_s == doctest::Approx(row.decision_s + row.movement_s + 27 - kept - spared));
}

// As much returns in one interval as diffusion gains in all, as where load jumps: more is always left of it
// than steps have taken away, so diffusion is spared nothing. Levelling at once gains 6/2 + 6/4 + 6/8 s,
// which is more than what is kept of diffusion's gains.
TEST_CASE("model: of load that jumps before it has flowed, stepwise diffusion is spared nothing") {
  std::vector<Selection> candidates = kStepwise;
  candidates.push_back(parse_strategy("greedy"));
  const Choice choice = choose(nine_on_the_first(), {},
                               {.candidates = candidates, .cost = {}, .horizon = {3, {1, 0.5, 14.0 / 9}}});
  const Prediction& row = row_of(choice, "diffusion:every_step");
  CHECK(row.total_s - row.decision_s == doctest::Approx(27 - 3.0 / 2 - 4.0 / 4 - 14.0 / 3 / 8));
  CHECK(choice.row().strategy == "greedy");
  CHECK(choice.row().total_s - choice.row().decision_s == doctest::Approx(27 - 6 * 0.875));
}

// Where nothing changes, intervals that are taken together count as much as one by one.
TEST_CASE("model: stepwise diffusion over a long horizon gains in each of its intervals") {
  const Choice choice =
      choose(nine_on_the_first(), {}, {.candidates = kStepwise, .cost = {}, .horizon = {1e6 + 0.5}});
  const Prediction& row = row_of(choice, "diffusion:every_step");
  const DiffusionForecast forecast = forecast_diffusion(make_pe_graph("mesh", nine_on_the_first()),
                                                        nine_on_the_first().pes, {9, 0, 0}, {.grain = 1});
  double total_s = row.decision_s;
  for (std::size_t k = 1; k <= forecast.steps(); ++k) total_s += forecast.largest[k];
  total_s += (1e6 + 0.5 - static_cast<double>(forecast.steps())) * row.step_s;
  CHECK(row.total_s == doctest::Approx(total_s).epsilon(1e-9));
}

// PE 0 has 6 of 7 s. The model knows that refine takes 2.2 s and assumes that it reaches the perfect 3.5 s:
// the next interval and refine would take 5.7 s. Objects of 2 s allow 4 s only: 6.2 s, more than doing
// nothing. But the 2.2 s are spent by then, so the choice is between 4 s and 6 s.
TEST_CASE("model: what a decision took does not count any more once it was made") {
  const Snapshot snapshot = test::make_snapshot(2, {2, 2, 2, 1}, {0, 0, 0, 1});
  Learned learned;
  learned.learn(snapshot, {"refine", 2.2, {}});
  const std::vector<Selection> candidates{parse_strategy("refine")};
  const Choice choice = choose(snapshot, learned, {candidates, {}, {1, 1}});
  CHECK(choice.row().strategy == "refine");
  CHECK(choice.row().step_s == doctest::Approx(4));
  CHECK(choice.row().total_s == doctest::Approx(6.2));
}

// PE 0 has 6 of 7 s, in objects of 2 s, so that no strategy reaches less than 4 s, as greedy shows. refine
// takes 0.2 s: assumed to reach the perfect 3.5 s, it promises 0.3 s more than greedy gives; assumed to be as
// close to greedy as before, nothing.
TEST_CASE("model: what no strategy can reach on a snapshot is promised of none, once one has shown it") {
  const Snapshot snapshot = test::make_snapshot(2, {2, 2, 2, 1}, {0, 0, 0, 1});
  const std::vector<Selection> candidates{parse_strategy("greedy"), parse_strategy("refine")};
  const auto choice = [&](double refine_s, std::optional<double> behind_best) {
    Learned learned;
    learned.learn(snapshot, {"greedy", 0.1, {}});
    learned.learn(snapshot, {"refine", refine_s, {.behind_best = behind_best}});
    return choose(snapshot, learned, {candidates, {}, {1, 1}});
  };
  const Choice alone = choice(0.2, 0);
  REQUIRE(alone.trials.size() == 1);
  CHECK(alone.trials[0].strategy == "greedy");
  CHECK(alone.trials[0].character.behind_best == std::nullopt);
  CHECK(row_of(alone, "refine").step_s == doctest::Approx(4));
  const Choice both = choice(0.2, {});
  REQUIRE(both.trials.size() == 2);
  CHECK(both.trials[1].character.behind_best == doctest::Approx(0));
  // The prediction starts from what greedy has shown, not from the perfect finish time.
  CHECK(row_of(choice(3, -0.5), "refine").step_s == doctest::Approx(2));
}

// Six objects have 6 s in all, so the model takes a second of load for one object, and PE 0 has 1 s too much.
// The object of 3 s is pinned, so all four objects of 0.25 s must move.
// 10 + 1 | 0: greedy, which is cheaper and run first, leaves 10; half of the larger object goes to the other
// PE if it is divided.
TEST_CASE("model: what whole objects allow is no bound for a strategy that divides them") {
  Snapshot snapshot = test::make_snapshot(2, {10, 1}, {0, 0});
  snapshot.objects.splittable = {1, 1};
  Learned learned;
  Character as_good;
  as_good.behind_best = 0;
  learned.learn(snapshot, {"greedy", 1e-3, as_good});
  learned.learn(snapshot, {"move-split", 1e-2, as_good});
  const std::vector<Selection> candidates{parse_strategy("greedy"), parse_strategy("move-split")};
  const auto chosen = [&](bool may_split) {
    return choose(snapshot, learned,
                  {.candidates = candidates,
                   .cost = {},
                   .horizon = {10},
                   .may_split = may_split,
                   .to_spend_s = 2e-3})
        .row();
  };
  CHECK(chosen(true).strategy == "move-split");
  CHECK(chosen(true).step_s < 7);
  CHECK(chosen(false).strategy == "greedy");
}

TEST_CASE("model: objects that are lighter than the others make movements dearer, which is learned") {
  Snapshot snapshot = test::make_snapshot(2, {0.25, 0.25, 0.25, 0.25, 3, 2}, {0, 0, 0, 0, 0, 1});
  snapshot.objects.migratable[4] = 0;
  const CostModel cost{.object_s = 0.1};
  const std::vector<Selection> candidates{parse_strategy("refine")};
  Learned learned;
  CHECK(row_of(choose(snapshot, learned, {candidates, cost, {1e-9, 1}}), "refine").movement_s ==
        doctest::Approx(0.1));
  const Choice seen = choose(snapshot, learned, {candidates, cost, {10, 1}});
  REQUIRE(seen.trials.size() == 1);
  CHECK(seen.trials[0].character.crowding == doctest::Approx(4));
  learned.learn(snapshot, seen.trials[0]);
  CHECK(row_of(choose(snapshot, learned, {candidates, cost, {1e-9, 1}}), "refine").movement_s ==
        doctest::Approx(0.4));
}

// 12 s in nine objects, so that a second of load takes 0.075 s to move on average, and PE 0 has 2 s too much:
// 0.15 s. Half of its object of 4 s is as much, and takes 0.05 s.
TEST_CASE("model: a strategy that was never seen is thought to move what has most load for what it costs") {
  const Snapshot snapshot = test::make_snapshot(2, {4, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1, 1, 1});
  const CostModel cost{.object_s = 0.1};
  const std::vector<Selection> candidates{parse_strategy("refine")};
  const auto movement = [&](const Learned& learned) {
    return row_of(choose(snapshot, learned, {candidates, cost, {1e-9, 1}}), "refine").movement_s;
  };
  CHECK(movement({}) == doctest::Approx(0.05));
  Learned learned;
  learned.learn(snapshot, {"refine", 0, {}});
  CHECK(movement(learned) == doctest::Approx(0.15));
}

// Moving takes 0.075 s for a second of load. greedy moves both PEs' 12 s of load: the 2 s that level PE 0,
// and 2 / 2 of the 10 s that need not move.
TEST_CASE("model: a strategy that starts afresh is thought to move everything until it was seen") {
  const Snapshot snapshot = test::make_snapshot(2, {4, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 1, 1, 1, 1});
  const std::vector<Selection> candidates{parse_strategy("greedy")};
  const Choice choice = choose(snapshot, {}, {candidates, {.object_s = 0.1}, {1e-9, 1}});
  CHECK(row_of(choice, "greedy").movement_s == doctest::Approx(12 * 0.075));
}

// Four objects, two PEs, no edge: greedy took three times its usual time, refine five times.
TEST_CASE("model: the decision of a strategy that was never seen is thought to take its usual time here") {
  const Snapshot snapshot = test::make_snapshot(2, {2, 2, 2, 1}, {0, 0, 0, 1});
  const auto usual_s = [](const char* name) { return *usual_element_ns(name) * 1e-9 * 6; };
  Learned learned;
  CHECK(learned.decision_seconds(parse_strategy("rcb"), snapshot) == doctest::Approx(usual_s("rcb")));
  learned.learn(snapshot, {"greedy", 3 * usual_s("greedy"), {}});
  learned.learn(snapshot, {"refine:by_level=1", 5 * usual_s("refine"), {}});
  learned.learn(snapshot, {"refine-comm:every_step", 0.5 * usual_s("refine-comm"), {}});
  CHECK(learned.decision_seconds(parse_strategy("rcb"), snapshot) == doctest::Approx(3 * usual_s("rcb")));
}

// greedy is known to take 1 s, refine 2 s; a meeting takes too long for either to promise anything. A
// levelled placement has 2 s less an interval.
TEST_CASE(
    "model: the cheapest decisions are made as far as time and what could be gained go, whatever they "
    "promise") {
  const Snapshot snapshot = test::make_snapshot(2, {2, 2, 2, 1}, {0, 0, 0, 1});
  Learned learned;
  learned.learn(snapshot, {"greedy", 1, {}});
  learned.learn(snapshot, {"refine", 2, {}});
  const std::vector<Selection> candidates{parse_strategy("refine"), parse_strategy("greedy")};
  const auto tried = [&](double to_spend_s, double intervals = 2) {
    return choose(snapshot, learned,
                  {.candidates = candidates,
                   .cost = {.meeting_s = 100},
                   .horizon = {intervals},
                   .to_spend_s = to_spend_s})
        .trials;
  };
  CHECK(tried(0.9).empty());
  REQUIRE(tried(1.1).size() == 1);
  CHECK(tried(1.1)[0].strategy == "greedy");
  CHECK(tried(2.9).size() == 1);
  CHECK(tried(3.1).size() == 2);
  CHECK(tried(3.1, 0.9).size() == 1);
  CHECK(tried(3.1, 0.4).empty());
}

// Two objects of 1 s on PE 0 of two: greedy gains a second in each of ten intervals. It is known to take
// 3 s.
TEST_CASE("model: a decision that may take too long is not made, whatever it promises") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 1}, {0, 0});
  Learned learned;
  learned.learn(snapshot, {"greedy", 3, {}});
  const std::vector<Selection> candidates{parse_strategy("greedy")};
  const auto chosen = [&](double most_decision_s) {
    const Choice choice = choose(
        snapshot, learned,
        {.candidates = candidates, .cost = {}, .horizon = {10, 1}, .most_decision_s = most_decision_s});
    return choice.rows[choice.chosen].strategy;
  };
  CHECK(chosen(3.1) == "greedy");
  CHECK(chosen(2.9) == "none");
}

TEST_CASE("model: a horizon counts whole gains") {
  CHECK(Horizon{7}.effective() == 7);
  CHECK(Horizon{3, {1, 0.5}}.effective() == doctest::Approx(0.5 + 0.25 + 0.125));
  CHECK(Horizon{0, {1, 0.5}}.effective() == doctest::Approx(0));
  CHECK(Horizon{3, {0.8, 0.5}, true}.effective() == doctest::Approx(1 + 0.8 * (0.5 + 0.25)));
  CHECK(Horizon{0.5, {1, 0.5}, true}.effective() == doctest::Approx(0.5));
}

TEST_CASE("model: the terms of movement follow what moves took, by a factor of two at most") {
  CostModel cost{1, 0.5, 3, 4, 5};
  correct_movement(cost, 10, 15);
  CHECK(cost.object_s == doctest::Approx(1.5));
  CHECK(cost.byte_s == doctest::Approx(0.75));
  correct_movement(cost, 1, 100);
  CHECK(cost.object_s == doctest::Approx(3));
  CHECK(cost.meeting_s == 5);
  correct_movement(cost, 0, 7);  // nothing was predicted, so nothing is learned
  CHECK(cost.object_s == doctest::Approx(3));
}

TEST_CASE("model: a meeting takes what a step took before it moved, less what was tried in it") {
  CostModel cost;
  const std::vector<Trial> trials{{"refine", 0.2, {}}, {"metis", 0.25, {}}};
  correct_meeting(cost, 0.5, trials);
  CHECK(cost.meeting_s == doctest::Approx(0.05));
  correct_meeting(cost, 0.03, {});
  CHECK(cost.meeting_s == doctest::Approx((0.05 + 0.03) / 2));
  correct_meeting(cost, 0.44, trials);  // times of several processes do not add up exactly: never below 0
  CHECK(cost.meeting_s == doctest::Approx(0.02));
}

TEST_CASE("model: the table has a line for each row, the best first, the choice marked") {
  const Snapshot snapshot = worked_example();
  const std::vector<Selection> candidates{parse_strategy("refine"), parse_strategy("refine-comm")};
  const std::string text = describe(choose(snapshot, {}, {candidates, kWorkedCost, {10, 0.5}}));
  CHECK(std::ranges::count(text, '\n') == 4);
  const auto best = text.find("* refine-comm");
  REQUIRE(best != std::string::npos);
  CHECK(best < text.find("  refine  "));
  CHECK(text.find("  refine  ") < text.find("  none"));
}
