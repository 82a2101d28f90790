// SPDX-License-Identifier: Apache-2.0
// Whether to balance and how, from what all told, and what is learned in doing so. Without MPI: every process
// of the program has one, or the one that decides for all (SKEIN_MPMD).
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
  Advice advice;  // but for Advice::process
  lb::Assignment assignment;

  /// What process p is told: its part of the assignment.
  Advice for_process(std::size_t p, const Gathered& gathered) const;
};

class Judge {
 public:
  /// `clock` gives seconds.
  Judge(const AdvisorOptions& options, const lb::CostModel& cost, double (*clock)());

  /// `started`: when the program began to ask, by the clock. `largest` replaces times by the largest of any
  /// process that judges the same, so that all learn alike; it may be empty where one judges for all.
  Verdict judge(const Gathered& gathered, std::uint64_t steps, double started,
                const std::function<void(std::span<double>)>& largest = {});

  /// A verdict on `then`, which took `steps_then` steps, applied to what there is after others:
  /// skein/lb/late.hpp.
  Verdict apply_late(const Gathered& then, std::uint64_t steps_then, const Verdict& decided,
                     const Gathered& now, std::uint64_t steps_now);

  /// How long the slowest process took to do what was advised last, in seconds.
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
  std::vector<lb::Cell> cells_;    // that the last decision ended with
  double movement_predicted_ = 0;  // of the last advice to balance, until moved()
};

}  // namespace skein::advisor
