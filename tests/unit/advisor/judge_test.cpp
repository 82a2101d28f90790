// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/judge.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace skein;

namespace {

double never() { return 0; }

// What process p reports when its `elements` took `seconds` in `steps` steps.
advisor::ProcessReport told(const std::vector<AdvisorElement>& elements, double seconds,
                            std::uint64_t steps) {
  return advisor::told_by({elements, {}, {}, seconds, steps});
}

// Process 0 has elements 1 to 4, of 1 s each; the strategy wants to move the last two to process 1.
struct Asked {
  advisor::Gathered then;
  advisor::Verdict decided;

  Asked() {
    advisor::ProcessReport all = told({{1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {4, 1, 0}}, 4, 1);
    all.append(told({}, 0, 1));
    then = advisor::assemble(all);
    decided.advice.balance = true;
    decided.advice.strategy = "greedy";
    decided.assignment = {0, 0, 1, 1};
  }
};

}  // namespace

TEST_CASE("advisor: loads of intervals of other lengths are no drift") {
  const Asked asked;
  advisor::ProcessReport all = told({{1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {4, 1, 0}}, 8, 2);
  all.append(told({}, 0, 2));
  const advisor::Gathered now = advisor::assemble(all);
  const advisor::Verdict late =
      advisor::Judge({}, {}, never).apply_late(asked.then, 1, asked.decided, now, 2);
  CHECK(late.advice.balance);
  CHECK(late.advice.strategy == "greedy");
  CHECK(late.advice.drift.work_percent == doctest::Approx(0));
  CHECK(late.advice.drift.changed_percent == doctest::Approx(0));
  CHECK(late.advice.imbalance_percent == doctest::Approx(100));
  CHECK(late.advice.imbalance_after_percent == doctest::Approx(0));
  CHECK(late.for_process(0, now).process == std::vector<int>{0, 0, 1, 1});
  CHECK(late.for_process(1, now).process.empty());
}

// The program has levelled its load by itself: 3 + 1 s each. Elements 1 and 2 together would take 6 s of 8:
// 50 % above the mean.
TEST_CASE("advisor: a late decision that is worse than staying is dropped") {
  const Asked asked;
  advisor::ProcessReport all = told({{1, 3, 0}, {3, 1, 0}}, 4, 1);
  all.append(told({{2, 3, 0}, {4, 1, 0}}, 4, 1));
  const advisor::Gathered now = advisor::assemble(all);
  const advisor::Verdict late =
      advisor::Judge({}, {}, never).apply_late(asked.then, 1, asked.decided, now, 1);
  CHECK(late.advice.dropped);
  CHECK_FALSE(late.advice.balance);
  CHECK(late.advice.strategy == "none");
  CHECK(late.advice.drift.imbalance_percent == doctest::Approx(50));
  CHECK(late.for_process(0, now).process == std::vector<int>{0, 0});
  CHECK(late.for_process(1, now).process == std::vector<int>{1, 1});
}
