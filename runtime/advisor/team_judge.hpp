// SPDX-License-Identifier: Apache-2.0
// A judge (judge.hpp) for several processes that decide together by a strategy that is a parallel program
// (skein/lb/parallel.hpp): each has a part of the elements. It weighs one strategy against staying, by loads
// and by the times of deciding and moving; it does not learn how strategies fare and how loads drift, which
// takes all elements together.
//
// All functions are collective over the team.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/advisor/part.hpp"
#include "skein/lb/cost.hpp"

namespace skein::advisor {

/// Returns why several processes cannot decide by this strategy (AdvisorOptions::strategy), or an empty text.
/// Equal wherever the same libraries are installed.
std::string why_not_together(const std::string& strategy);

class TeamJudge {
 public:
  /// `clock` returns seconds.
  TeamJudge(const AdvisorOptions& options, const lb::CostModel& cost, double (*clock)())
      : options_(options), cost_(cost), clock_(clock) {}

  /// Judges. Returns the advice for each member here, in their order.
  std::vector<Advice> judge(const ToldHere& here, std::size_t members, std::uint64_t steps, lb::Team& team);
  /// Applies the last decision to the present elements.
  std::vector<Advice> apply_late(const ToldHere& here, std::size_t members, std::uint64_t steps,
                                 lb::Team& team);
  /// Notes how long the slowest member here took to follow the last advice.
  void moved(double seconds, lb::Team& team);

 private:
  double movement_seconds(const lb::SnapshotPart& part, const lb::Assignment& pe_of, lb::Team& team) const;

  AdvisorOptions options_;
  lb::CostModel cost_;
  double (*clock_)();
  std::uint64_t steps_measured_ = 0;
  double movement_predicted_ = 0;  // of the last advice to balance, until moved()
  /// The last decision and its input.
  Part then_;
  std::uint64_t steps_then_ = 1;
  lb::StepPlan decided_;
  Advice advice_;  // without the places
};

}  // namespace skein::advisor
