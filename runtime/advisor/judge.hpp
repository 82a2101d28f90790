// SPDX-License-Identifier: Apache-2.0
// Decides whether to balance and how, from the reports of all processes, and learns from the results. Without
// MPI: every process of the program has a judge, or the one that decides for all (SKEIN_MPMD).
#pragma once
#include <functional>
#include <span>

#include "runtime/advisor/told.hpp"
#include "skein/advisor.hpp"
#include "skein/lb/cost.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/model.hpp"

namespace skein::advisor {

struct Verdict {
  Advice advice;  // without Advice::process
  lb::Assignment assignment;

  /// Returns the advice for process p: its part of the assignment.
  Advice for_process(std::size_t p, const Gathered& gathered) const;
};

class Judge {
 public:
  /// `clock` returns seconds.
  Judge(const AdvisorOptions& options, const lb::CostModel& cost, double (*clock)());

  /// Judges. `started`: when the program asked, by the clock. `largest` replaces times by the largest of any
  /// process that judges the same, so that all learn alike; it may be empty if one judges for all.
  Verdict judge(const Gathered& gathered, std::uint64_t steps, double started,
                const std::function<void(std::span<double>)>& largest = {});

  /// Applies a verdict on `then`, which took `steps_then` steps, to the present elements: skein/lb/late.hpp.
  Verdict apply_late(const Gathered& then, std::uint64_t steps_then, const Verdict& decided,
                     const Gathered& now, std::uint64_t steps_now);

  /// Notes how long the slowest process took to follow the last advice, in seconds.
  void moved(double seconds);

 private:
  void learn(const lb::Snapshot& snapshot, lb::Choice& choice, double look,
             const std::function<void(std::span<double>)>& largest);

  AdvisorOptions options_;
  lb::CostModel cost_;
  double (*clock_)();
  lb::Learned learned_;
  lb::Drift drift_;  // per step
  std::uint64_t steps_measured_ = 0;
  std::vector<lb::Cell> cells_;    // at the end of the last decision
  double movement_predicted_ = 0;  // of the last advice to balance, until moved()
};

}  // namespace skein::advisor
