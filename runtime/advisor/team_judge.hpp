// SPDX-License-Identifier: Apache-2.0
// As Judge (judge.hpp), of several processes that decide together by a strategy that is a parallel program
// (skein/lb/parallel.hpp): each has a part of the elements. It weighs one strategy against staying, by loads
// and by what deciding and moving take; what it would learn from all elements together, how strategies fare
// and how loads drift, it does not know.
//
// All functions are collective over the team.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/advisor/part.hpp"
#include "skein/lb/cost.hpp"

namespace skein::advisor {

/// Why several processes do not decide by what is asked for (AdvisorOptions::strategy), or an empty text. The
/// same wherever the same libraries are installed.
std::string why_not_together(const std::string& strategy);

class TeamJudge {
 public:
  /// `clock` gives seconds.
  TeamJudge(const AdvisorOptions& options, const lb::CostModel& cost, double (*clock)())
      : options_(options), cost_(cost), clock_(clock) {}

  /// What each member here is told, in their order.
  std::vector<Advice> judge(const ToldHere& here, std::size_t members, std::uint64_t steps, lb::Team& team);
  /// The last decision, applied to what there is now.
  std::vector<Advice> apply_late(const ToldHere& here, std::size_t members, std::uint64_t steps,
                                 lb::Team& team);
  /// How long what was advised last took on the slowest member here.
  void moved(double seconds, lb::Team& team);

 private:
  double movement_seconds(const lb::SnapshotPart& part, const lb::Assignment& pe_of, lb::Team& team) const;

  AdvisorOptions options_;
  lb::CostModel cost_;
  double (*clock_)();
  std::uint64_t steps_measured_ = 0;
  double movement_predicted_ = 0;  // of the last advice to balance, until moved()
  /// The last decision, and what it is of.
  Part then_;
  std::uint64_t steps_then_ = 1;
  lb::StepPlan decided_;
  Advice advice_;  // but for the places
};

}  // namespace skein::advisor
