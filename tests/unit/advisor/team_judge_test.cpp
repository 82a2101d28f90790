// SPDX-License-Identifier: Apache-2.0
// Several processes that decide together from the members' reports, with threads in their place.
// tests/job/mpmd/ tests it with processes.
#include "runtime/advisor/team_judge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/lb/thread_team.hpp"

using namespace skein;

namespace {

double never() { return 0; }

// Three members: the first has twelve elements of 1 s, the others none. With two deciders, the first of them
// gets the reports of the first two members.
constexpr std::size_t members = 3;
advisor::ToldHere told_to(std::size_t decider) {
  std::vector<AdvisorElement> twelve;
  for (std::uint64_t id = 0; id < 12; ++id) twelve.push_back({id, 1, 100});
  if (decider == 1) return {{2}, advisor::told_by({{}, {}, {}, 0, 1})};
  advisor::ToldHere here{{0, 1}, advisor::told_by({twelve, {}, {}, 12, 1})};
  here.told.append(advisor::told_by({{}, {}, {}, 0, 1}));
  return here;
}

// Returns the message of the exception on each of two deciders, to which members 0 and 1 report `given`.
std::vector<std::string> faults_of(const std::array<advisor::ProcessInput, 2>& given) {
  std::vector<std::string> faults(2);
  lb::on_thread_team(2, [&](lb::Team& team) {
    const advisor::ToldHere here{{static_cast<int>(team.rank())}, advisor::told_by(given[team.rank()])};
    try {
      (void)advisor::make_part(here, 2, team);
    } catch (const std::invalid_argument& error) {
      faults[team.rank()] = error.what();
    }
  });
  return faults;
}

}  // namespace

TEST_CASE("advisor: several that decide together say all members what is expected of it") {
  std::array<std::vector<Advice>, 2> told;
  lb::on_thread_team(2, [&](lb::Team& team) {
    // Moving takes 0.1 s an element at each end of the move. The balance is to last for 100 steps.
    advisor::TeamJudge judge({100, 1, "random"}, {.object_s = 0.1}, never);
    told[team.rank()] = judge.judge(told_to(team.rank()), members, 1, team);
  });
  REQUIRE(told[0].size() == 2);
  REQUIRE(told[1].size() == 1);
  const std::vector<int>& places = told[0][0].process;
  REQUIRE(places.size() == 12);
  std::array<double, members> load{};
  for (const int place : places) ++load.at(static_cast<std::size_t>(place));
  const double largest = std::ranges::max(load), moved = 12 - load[0];
  REQUIRE(largest < 12);
  for (const Advice& advice : {told[0][0], told[0][1], told[1][0]}) {
    CHECK(advice.balance);
    CHECK(advice.strategy == "random");
    CHECK(advice.imbalance_percent == doctest::Approx(200));
    CHECK(advice.imbalance_after_percent == doctest::Approx(100 * (largest / 4 - 1)));
    // The first process sends all elements that move, so no other process spends more on moving.
    CHECK(advice.gain_s == doctest::Approx(100 * (12 - largest) - 0.1 * moved));
    CHECK(advice.table.find("2 processes decided together, about 12 and 0 elements") != std::string::npos);
  }
}

TEST_CASE("advisor: several that decide together leave all where it is if moving costs more than it gains") {
  lb::on_thread_team(2, [&](lb::Team& team) {
    advisor::TeamJudge judge({1, 1, "random"}, {.object_s = 100}, never);
    const std::vector<Advice> told = judge.judge(told_to(team.rank()), members, 1, team);
    for (const Advice& advice : told) {
      CHECK_FALSE(advice.balance);
      CHECK(advice.strategy == "none");
      CHECK(std::ranges::count(advice.process, 0) == std::ssize(advice.process));
    }
  });
}

TEST_CASE("advisor: what is told wrong to several that decide together is found as where one decides") {
  const std::vector<AdvisorElement> one{{1, 1, 0}}, two{{2, 1, 0}};
  CHECK(faults_of({advisor::ProcessInput{one, {}, {}, 1, 1}, advisor::ProcessInput{two, {}, {}, 1, 1}}) ==
        std::vector<std::string>(2));
  const auto both_say = [&](const std::array<advisor::ProcessInput, 2>& given, const char* text) {
    const std::vector<std::string> faults = faults_of(given);
    CHECK(faults[0] == faults[1]);
    CHECK(faults[0].find(text) != std::string::npos);
  };
  both_say({advisor::ProcessInput{one, {}, {}, 1, 1}, advisor::ProcessInput{one, {}, {}, 1, 1}},
           "element 1 was given twice");
  both_say({advisor::ProcessInput{one, {}, {}, 1, 1}, advisor::ProcessInput{two, {}, {}, 1, 2}},
           "process 1 measured 2 steps");
  const std::vector<AdvisorEdge> known{{1, 2, 8}}, unknown{{1, 3, 8}}, negative{{1, 2, -8}};
  CHECK(faults_of({advisor::ProcessInput{one, known, {}, 1, 1}, advisor::ProcessInput{two, {}, {}, 1, 1}}) ==
        std::vector<std::string>(2));
  for (const auto& edges : {unknown, negative})
    both_say({advisor::ProcessInput{one, edges, {}, 1, 1}, advisor::ProcessInput{two, {}, {}, 1, 1}},
             "the edge from element 1 to");
}

TEST_CASE("advisor: several decide together by a parallel strategy that is named, and by no other") {
  CHECK(advisor::why_not_together("random").empty());
  CHECK(advisor::why_not_together("greedy").find("decides on one PE") != std::string::npos);
  CHECK(advisor::why_not_together("").find("AdvisorOptions::strategy") != std::string::npos);
  CHECK(advisor::why_not_together("no-such").find("no-such") != std::string::npos);
}
