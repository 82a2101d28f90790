// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "runtime/advisor/judge.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

using namespace skein;

namespace {

double never() { return 0; }

// Two processes: the first has elements 1 to 8 of 1 s each, the second none. `first` and `second` are the
// interactions that each of them reports.
advisor::Gathered gathered(const std::vector<AdvisorInteraction>& first,
                           const std::vector<AdvisorInteraction>& second, std::uint64_t steps = 1) {
  std::vector<AdvisorElement> elements;
  for (std::uint64_t id = 1; id <= 8; ++id) elements.push_back({id, 1, 100});
  advisor::ProcessReport all = advisor::told_by({elements, {}, {}, 8, steps, first});
  all.append(advisor::told_by({{}, {}, {}, 0, steps, second}));
  return advisor::assemble(all);
}

std::string error_of(const std::vector<AdvisorInteraction>& interactions) {
  try {
    gathered({{{1, 2}, 1}}, interactions);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("advisor: interactions that any process tells are hyperedges, of the bytes of all steps") {
  const advisor::Gathered all = gathered({{{3, 1}, 2}}, {{{8, 1, 4}, 5}, {{}, 1}}, 10);
  CHECK(all.snapshot.hypergraph.first == std::vector<std::uint64_t>{0, 2, 5, 5});
  CHECK(all.snapshot.hypergraph.pin == std::vector<lb::ObjectIndex>{0, 2, 0, 3, 7});
  CHECK(all.snapshot.hypergraph.bytes == std::vector<float>{20, 50, 10});
  CHECK(gathered({}, {}).snapshot.hypergraph.empty());
}

TEST_CASE("advisor: an interaction that is told wrong is named") {
  CHECK(error_of({{{1, 2}, 0}}) == "");
  CHECK(error_of({{{1, 9}, 1}}) == "skein advisor: interaction 1 joins element 9, which no process gave");
  CHECK(error_of({{{4, 1, 4}, 1}}) == "skein advisor: interaction 1 joins element 4 twice");
  CHECK(error_of({{{1, 2}, -1}}) == "skein advisor: interaction 1 has bytes that are negative or not finite");
  CHECK(error_of({{{1, 2}, std::nan("")}}) ==
        "skein advisor: interaction 1 has bytes that are negative or not finite");
}

// Only elements of odd ids interact, and only elements of even ids: this is the only even cut that cuts
// nothing.
TEST_CASE("advisor: a strategy that is named is asked, and has the interactions") {
  const lb::StrategyInfo* const hyper = lb::find_strategy("hyper");
  REQUIRE(hyper);
  if (!lb::why_unavailable(*hyper).empty()) {
    MESSAGE(lb::why_unavailable(*hyper));
    return;
  }
  const advisor::Gathered all = gathered({{{1, 3, 5, 7}, 9}, {{2, 4, 6, 8}, 9}}, {});
  advisor::Judge judge({.horizon_steps = 1000, .strategy = "hyper"}, {}, never);
  const advisor::Verdict verdict = judge.judge(all, 1, 0);
  CHECK(verdict.advice.strategy == "hyper");
  CHECK(verdict.advice.balance);
  CHECK(verdict.advice.imbalance_after_percent == doctest::Approx(0));
  CHECK(lb::connectivity(all.snapshot, verdict.assignment).cut_bytes == 0);
}

TEST_CASE("advisor: a strategy that is named and lacks what it needs says so") {
  if (!lb::why_unavailable(*lb::find_strategy("hyper")).empty()) return;
  advisor::Judge judge({.horizon_steps = 1000, .strategy = "hyper"}, {}, never);
  CHECK_THROWS_WITH_AS(judge.judge(gathered({}, {}), 1, 0), doctest::Contains("needs the interactions"),
                       std::invalid_argument);
}
