// SPDX-License-Identifier: Apache-2.0
// Checks the equations of bench/lazy/resources.hpp against cases worked out by hand.
#include "bench/lazy/resources.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace bench_lazy;

namespace {

// f = 12 / n; the strategy takes 10 s on any number of processes, and exchanging 1 s.
ResourceModel sequential() {
  return {.f = Curve({{Term::share, 1}}),
          .g = Curve({{Term::whole, 2}}),
          .h = Curve({{Term::constant, 1}}),
          .h_late = Curve({{Term::constant, 1}})};
}

ResourceQuestion question(double processes, double steps) {
  return {.processes = processes,
          .work = 12,
          .graph = 5,
          .alpha = 1.5,
          .steps = steps,
          .redistribution_s = 0.5,
          .tolerance = 1.25};
}

constexpr std::uint32_t kOne[] = {1};

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("resources: (1), steps until balance is lost") {
  CHECK(steps_until_lost(1.21, 0.1) == doctest::Approx(2));
  CHECK(steps_until_lost(8, 1) == doctest::Approx(3));
  CHECK(std::isinf(steps_until_lost(1.1, 0)));
}

TEST_CASE("resources: (2), imbalanced steps while a decision is made") {
  // (10 + 1) / (1.5 * 12 / 3)
  CHECK(imbalanced_steps(sequential(), question(4, 20), 1) == doctest::Approx(11.0 / 6));
}

TEST_CASE("resources: (3), with four processes and 20 steps inline wins") {
  const ResourceModel model = sequential();
  const ResourceQuestion asked = question(4, 20);
  const ResourceCost all = cost_of(model, asked, Mode::Kind::inline_all, 0);
  CHECK(all.computing == 4);
  CHECK(all.deciding == 4);
  CHECK(all.total_s == doctest::Approx(10 + 1 + 0.5 + 20 * 3));
  const ResourceCost decoupled = cost_of(model, asked, Mode::Kind::decoupled, 1);
  CHECK(decoupled.computing == 4);
  CHECK(decoupled.deciding == 1);
  CHECK(decoupled.total_s == doctest::Approx(10 + 1 + 0.5 + 20 * 3));
  const ResourceCost lazy = cost_of(model, asked, Mode::Kind::lazy, 1);
  CHECK(lazy.imbalanced == 2);  // of u = 11 / 6
  CHECK(lazy.total_s == doctest::Approx(20 * 4 + 2 * 0.5 * 4 + 0.5));
  const ResourceChoice choice = choose_resources(model, asked, kOne);
  CHECK(choice.chosen().mode == Mode::Kind::inline_all);
  CHECK(choice.why ==
        "inline: 20 steps take 71.5 s, decoupled 71.5 s, lazy 84.5 s; deciding takes 10 s, exchanging what "
        "it needs 1 s");
}

TEST_CASE("resources: (3), with sixteen processes and 100 steps lazy wins") {
  const ResourceModel model = sequential();
  const ResourceChoice choice = choose_resources(model, question(16, 100), kOne);
  REQUIRE(choice.rows.size() == 3);
  CHECK(choice.chosen().mode == Mode::Kind::lazy);
  CHECK(mode_text(choice.chosen()) == "lazy:pes=1");
  // u = 11 / 1.2
  CHECK(choice.chosen().total_s == doctest::Approx(100 * 0.8 + 10 * 0.5 * 0.8 + 0.5));
  CHECK(choice.rows[1].mode == Mode::Kind::inline_all);
  CHECK(choice.rows[1].total_s == doctest::Approx(11.5 + 75));
  CHECK(choice.rows[2].total_s == doctest::Approx(11.5 + 75));
  CHECK(holds(choice.why, "lazy:pes=1: 100 steps take 84.5 s, inline 86.5 s, decoupled 86.5 s"));
  ResourceQuestion not_lazily = question(16, 100);
  not_lazily.may_be_lazy = false;
  CHECK(choose_resources(model, not_lazily, kOne).rows.size() == 2);
  CHECK(holds(choice.why, "while 10 steps are made that are 50 % longer"));
}

TEST_CASE("resources: who waits makes fewer imbalanced steps, and idles") {
  const ResourceModel model = sequential();
  const ResourceCost cost = cost_of(model, question(16, 100), Mode::Kind::lazy, 1, 2);
  CHECK(mode_text(cost) == "lazy:pes=1,wait=2");
  // Two steps of 1.2 s, of which 0.4 are lost, and the rest of 11 s idle.
  CHECK(cost.total_s == doctest::Approx(100 * 0.8 + 2 * 0.4 + (11 - 2 * 1.2) + 0.5));
  CHECK(cost.imbalanced == 2);
  // A process that would wait for longer than the decision takes does not wait.
  CHECK(cost_of(model, question(16, 100), Mode::Kind::lazy, 1, 50).total_s ==
        doctest::Approx(cost_of(model, question(16, 100), Mode::Kind::lazy, 1).total_s));
}

TEST_CASE("resources: (1) bounds t in the choice, and that is told") {
  // t' = log 1.5625 / log 1.25 = 2 of 100 steps. A lazy decision takes ten steps, so it covers none of the
  // two.
  ResourceQuestion asked = question(16, 100);
  asked.tolerance = 1.5625;
  asked.growth = 0.25;
  asked.undecided_by_interval = {0, 0.5};  // for intervals of 100 steps, not of two
  const ResourceChoice choice = choose_resources(sequential(), asked, kOne);
  CHECK(choice.chosen().mode == Mode::Kind::lazy);
  CHECK(choice.chosen().total_s == doctest::Approx(2 * 1.5 * 0.8));
  CHECK(choice.rows[1].total_s == doctest::Approx(11.5 + 2 * 0.75));
  CHECK(
      holds(choice.why, "lazy:pes=1: 2 of 100 steps, after which balance is lost, take 2.4 s, inline 13 s"));
  CHECK(holds(choice.why, "; it is not decided before all steps are over"));
  // Inline wins for 20 steps, but lazy wins for the two steps that the balance lasts.
  asked.processes = 4;
  asked.steps = 20;
  CHECK(choose_resources(sequential(), asked, kOne).chosen().mode == Mode::Kind::lazy);
  asked.growth = 0.01;  // t' = 44.9
  asked.undecided_by_interval.clear();
  CHECK(choose_resources(sequential(), asked, kOne).chosen().mode == Mode::Kind::inline_all);
  CHECK_FALSE(holds(choose_resources(sequential(), asked, kOne).why, "balance is lost"));
  // If the balance is lost within one step, the decision is made for one step.
  asked.growth = 9;
  CHECK(
      holds(choose_resources(sequential(), asked, kOne).why, ": 1 of 20 steps, after which balance is lost"));
}

TEST_CASE("resources: (3), decoupled, any number of those that compute may decide, all of them too") {
  // g = 64 / m, h = p / m: 64 + 16, 16 + 4, 4 + 1.
  const ResourceModel model{.f = Curve({{Term::share, 1}}),
                            .g = Curve({{Term::share, 1}}),
                            .h = Curve({{Term::ratio, 1}}),
                            .h_late = Curve({{Term::ratio, 1}})};
  ResourceQuestion asked{.processes = 16, .work = 32, .graph = 64, .alpha = 1.5, .steps = 10};
  const auto decoupled = [&](std::uint32_t m) { return cost_of(model, asked, Mode::Kind::decoupled, m); };
  CHECK(decoupled(1).total_s == doctest::Approx(64 + 16 + 10 * 2));
  CHECK(decoupled(4).total_s == doctest::Approx(16 + 4 + 10 * 2));
  CHECK(decoupled(16).total_s == doctest::Approx(4 + 1 + 10 * 2));
  CHECK(decoupled(16).computing == 16);
  CHECK(decoupled(16).exchange_s == doctest::Approx(1));
  // With inline each process decides alone, so all of them together are faster; a lazy job needs one that
  // computes.
  asked.inline_divides = false;
  constexpr std::uint32_t counts[] = {1, 4, 16, 17};
  const ResourceChoice choice = choose_resources(model, asked, counts);
  CHECK(mode_text(choice.chosen()) == "decoupled:pes=16");
  CHECK(choice.rows.size() == 1 + 3 + 2);
  CHECK_THROWS_WITH_AS(decoupled(17), doctest::Contains("17 deciding processes; there are 16 in all"),
                       CurveError);
}

TEST_CASE("resources: what comes after the last step helps nobody") {
  const ResourceCost lazy = cost_of(sequential(), question(16, 5), Mode::Kind::lazy, 1);
  CHECK(lazy.imbalanced == 5);
  CHECK(lazy.total_s == doctest::Approx(5 * 0.8 * 1.5));  // nor is anything moved
}

TEST_CASE("resources: (4), decisions that take longer than until the next") {
  // With 16 processes f = 0.8; t = 5: u = 11 / 1.2, so U = 10, k = 2, and 1/2 (10 + 2.5) steps are lost.
  ResourceQuestion asked = question(16, 5);
  asked.undecided = 4;
  CHECK(cost_of(sequential(), asked, Mode::Kind::lazy, 1).total_s ==
        doctest::Approx(0.8 * (5 + 0.5 * (10 + 2.5)) + 0.5 / 2));
  // The loss is at most that without any decision, for then nothing is moved.
  asked.undecided = 2;
  CHECK(cost_of(sequential(), asked, Mode::Kind::lazy, 1).total_s == doctest::Approx(0.8 * (5 + 5)));
  // A process that waits is not later than without waiting.
  CHECK(cost_of(sequential(), asked, Mode::Kind::lazy, 1, 5).total_s ==
        doctest::Approx(0.8 * (5 + 5 * 0.5) + (11 - 5 * 1.2) + 0.5));
}

TEST_CASE("resources: a parallel strategy gets as many processes as pay") {
  // g = 600 / m; f = 100 / n, each step 10 s on ten.
  const ResourceModel model{.f = Curve({{Term::share, 1}}), .g = Curve({{Term::share, 1}})};
  ResourceQuestion asked{
      .processes = 10, .work = 100, .graph = 600, .alpha = 1.6, .steps = 40, .redistribution_s = 0};
  constexpr std::uint32_t all[] = {4, 1, 2, 3, 12};
  const ResourceChoice choice = choose_resources(model, asked, all);
  CHECK(choice.rows.size() == 1 + 2 * 4);  // twelve are more than there are
  // Decoupled, with n = p: 600 / m + 400.
  CHECK(cost_of(model, asked, Mode::Kind::decoupled, 4).total_s == doctest::Approx(150 + 400));
  // Inline 60 + 400. Lazy loses 0.6 of a step in each of u = 600 / m / (1.6 f) steps, rounded up: 33.75 with
  // one process that decides, 15 with two, 8.75 with three.
  CHECK(choice.chosen().mode == Mode::Kind::inline_all);
  CHECK(choice.chosen().total_s == doctest::Approx(460));
  const auto lazy = [&](std::uint32_t m) { return cost_of(model, asked, Mode::Kind::lazy, m).total_s; };
  CHECK(lazy(1) == doctest::Approx(4000.0 / 9 + 34 * 0.6 * 100 / 9));
  CHECK(lazy(2) == doctest::Approx(500 + 15 * 0.6 * 12.5));
  CHECK(lazy(3) == doctest::Approx(4000.0 / 7 + 9 * 0.6 * 100 / 7));
}

TEST_CASE("resources: of equal costs inline, then decoupled, and the fewest that decide") {
  // Only steps take time: 1 s each, on any number of processes.
  const ResourceModel model{.f = Curve({{Term::constant, 1}})};
  constexpr std::uint32_t all[] = {2, 1};
  const ResourceChoice choice = choose_resources(model, {.processes = 4, .alpha = 1.5, .steps = 10}, all);
  std::vector<std::string> order;
  for (const ResourceCost& row : choice.rows) order.push_back(mode_text(row));
  CHECK(order ==
        std::vector<std::string>{"inline", "decoupled:pes=1", "decoupled:pes=2", "lazy:pes=1", "lazy:pes=2"});
}

TEST_CASE("resources: the model is fitted from samples; late exchanges cost what others do unless measured") {
  ResourceSamples samples;
  samples.step = {{{.processes = 2, .work = 12}, 6}};
  samples.decision = {{{.processes = 2, .work = 5}, 10}};
  samples.exchange = {{{.processes = 1, .work = 5, .partners = 2}, 0.5}};
  ResourceModel model = fit_resources(samples);
  CHECK(model.f({.processes = 4, .work = 12}) == doctest::Approx(3));
  CHECK(model.g({.processes = 1, .work = 10}) == doctest::Approx(20));  // each process alone
  CHECK(model.h_late({.processes = 1, .work = 5}) == doctest::Approx(0.5));
  samples.parallel = true;
  samples.late_exchange = {{{.processes = 1, .work = 5, .partners = 2}, 2}};
  model = fit_resources(samples);
  CHECK(model.g({.processes = 1, .work = 5}) == doctest::Approx(20));
  CHECK(model.h_late({.processes = 1, .work = 5, .partners = 2}) == doctest::Approx(2));
  samples.exchange[0].seconds = 0;
  CHECK_THROWS_WITH_AS(fit_resources(samples), doctest::Contains("exchanges, sample 1: the time is 0"),
                       CurveError);
  samples.decision.clear();
  CHECK_THROWS_WITH_AS(fit_resources(samples), doctest::Contains("no decision"), CurveError);
}

TEST_CASE("resources: questions that make no sense are refused") {
  const ResourceModel model = sequential();
  ResourceQuestion asked = question(4, 20);
  CHECK_THROWS_WITH_AS(cost_of(model, asked, Mode::Kind::lazy, 4), doctest::Contains("4 deciding processes"),
                       CurveError);
  asked.alpha = 0.5;
  CHECK_THROWS_WITH_AS(cost_of(model, asked, Mode::Kind::lazy, 1), doctest::Contains("length 0.5"),
                       CurveError);
}

TEST_CASE("resources: what steps took beyond balanced work is theirs on any number of processes") {
  // f = 12 / n. On three processes f is 4, but a step was measured to take 5. So on two a lazy step takes 6 +
  // 1.
  const ResourceModel model{.f = Curve({{Term::share, 12}}), .g = Curve({{Term::constant, 14}})};
  ResourceQuestion question{.processes = 3, .alpha = 1.5, .steps = 10, .length_s = 5, .length_on = 3};
  question.inline_divides = false;
  CHECK(cost_of(model, question, Mode::Kind::inline_all, 0).total_s == doctest::Approx(14 + 50));
  CHECK(cost_of(model, question, Mode::Kind::decoupled, 1).total_s == doctest::Approx(14 + 50));
  // While 14 s pass, 1.4 steps of 6 + 3 + 1 are made, which lose 3 each.
  const ResourceCost lazy = cost_of(model, question, Mode::Kind::lazy, 1);
  CHECK(lazy.imbalanced == 2);
  CHECK(lazy.total_s == doctest::Approx(70 + 2 * 3));
  // A measured step shorter than balanced work promises no gain.
  question.length_s = 1;
  CHECK(cost_of(model, question, Mode::Kind::inline_all, 0).total_s == doctest::Approx(14 + 40));
}

TEST_CASE("resources: a decision is applied at a sync point, so that none is less than a step late") {
  // f = 4 on three processes, g = 1: a sixth of an imbalanced step of 6.
  const ResourceModel model{.f = Curve({{Term::share, 12}}), .g = Curve({{Term::constant, 1}})};
  const ResourceQuestion asked{.processes = 4, .alpha = 1.5, .steps = 10};
  const ResourceCost lazy = cost_of(model, asked, Mode::Kind::lazy, 1);
  CHECK(lazy.imbalanced == 1);
  CHECK(lazy.total_s == doctest::Approx(10 * 4 + 0.5 * 4));
  CHECK(cost_of({.f = model.f}, asked, Mode::Kind::lazy, 1).imbalanced == 0);
}

TEST_CASE(
    "resources: (5), that objects fit better on fewer processes counts as far as the strategy is good") {
  // Six objects of 1. On four processes the fullest has two, where balanced work is 1.5; on three balanced
  // work is 2, and nothing is wasted.
  const ResourceModel model{.f = Curve({{Term::share, 6}})};
  ResourceQuestion question{.processes = 4, .steps = 1, .length_on = 4, .loads = {1, 1, 1, 1, 1, 1}};
  const auto takes = [&](double length_s) {
    question.length_s = length_s;
    return cost_of(model, question, Mode::Kind::lazy, 1).total_s;
  };
  CHECK(takes(0) == doctest::Approx(2));
  CHECK(takes(2) == doctest::Approx(2));  // the strategy found the optimum of two
  // The strategy left 1.5 beyond the 0.5 that must be wasted: a quarter of the 0.5 is gained.
  CHECK(takes(3.5) == doctest::Approx(2 + 0.5 - 0.25 * 0.5 + 1.5));
  // On two processes the fullest has 3, and on five, where balanced work is 1.2, it has 2.
  CHECK(cost_of(model, question, Mode::Kind::lazy, 2).total_s == doctest::Approx(3 + 0.5 * 0.75 + 1.5));
  question.processes = 6;
  CHECK(cost_of(model, question, Mode::Kind::lazy, 1).total_s == doctest::Approx(1.2 + 0.8 + 1.5));
}

TEST_CASE("resources: (6), a job that is known from beginning to end") {
  // Steps take 4 on three processes, 6 if imbalanced. There are three intervals of four steps; the first
  // question is at step 4.
  ResourceQuestion asked{.processes = 4,
                         .alpha = 1.5,
                         .undecided_by_interval = {0, 0.8, 1},
                         .steps = 4,
                         .redistribution_s = 0.5};
  const auto lazy = [&](double decide_s) {
    const ResourceModel model{.f = Curve({{Term::share, 12}}), .g = Curve({{Term::constant, decide_s}})};
    return cost_of(model, asked, Mode::Kind::lazy, 1).total_s;
  };
  // U = 3: no decision is in force until step 7. The next question is at step 8, and until step 11 the
  // decision of step 4 is in force, which is an interval older than an inline decision. Two of three
  // decisions are applied.
  CHECK(lazy(16) == doctest::Approx(4 * 4 + (3 * 0.8 + 3 * 0.5) / 3 * 4 + 0.5 * 2 / 3));
  // U = 4: the decision of step 4 is in force from step 8 to the end, when the other decision arrives.
  CHECK(lazy(24) == doctest::Approx(4 * 4 + (4 * 0.8 + 4 * 0.5) / 3 * 4 + 0.5 * 2 / 3));
  // The decision never arrives.
  CHECK(lazy(1000) == doctest::Approx(4 * 4 + (4 * 0.8 + 4 * 1) / 3 * 4));
  // A decision that is no better than none is dropped.
  asked.undecided_by_interval = {0, 0.8, 0.2};
  CHECK(lazy(16) == doctest::Approx(4 * 4 + (3 * 0.8 + 3 * 0.2) / 3 * 4 + 0.5 * 2 / 3));
}
