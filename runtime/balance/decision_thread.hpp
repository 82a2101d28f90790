// SPDX-License-Identifier: Apache-2.0
// A strategy at work beside the PE, which goes on meanwhile: what it is given and what it comes to, on a
// HelperThread. The thread owns both as well: one that is left to itself at the end of a job works on with
// nothing that has ended.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/balance/helper_thread.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

/// The thread's alone while it works.
struct DecisionWork {
  std::optional<lb::Planner> planner;
  std::optional<lb::Interval> interval;
  lb::Snapshot then;
  lb::SnapshotPart then_here;  ///< instead, where several decide together
  lb::StepPlan plan;
  std::string failure;  ///< what the strategy threw; empty: nothing
  double took_s = 0;
};

class DecisionThread {
 public:
  /// The priority of all work that begins from now on.
  void set_priority(HelperThread::Priority priority) { priority_ = priority; }

  /// Not while works().
  DecisionWork& operator*() { return *work_; }
  DecisionWork* operator->() { return work_.get(); }

  /// Decides by `then`, which the planner has taken for `interval`. Not while works().
  void start();
  /// Starts a decision with the team, about this PE's part, from which `then_here` is made. Not while
  /// works().
  void start_together(lb::MeasuredPart measured, std::uint64_t seed);

  bool works() const { return helper_.has_work(); }
  /// Whether the plan, or the failure, is there: once.
  bool take_done() { return helper_.take_done(); }
  /// As HelperThread::fault().
  int fault() const { return helper_.fault(); }

 private:
  std::shared_ptr<DecisionWork> work_ = std::make_shared<DecisionWork>();
  HelperThread helper_;
  HelperThread::Priority priority_ = HelperThread::Priority::usual;
};

}  // namespace skein::balance
