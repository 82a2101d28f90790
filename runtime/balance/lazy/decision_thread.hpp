// SPDX-License-Identifier: Apache-2.0
// A strategy at work on a thread beside the PE's own, which goes on meanwhile: what it is given and what it
// comes to. Strategies are pure, and need neither ranks nor messages.
//
// On the thread no rank runs (current_rank() is null), and blocks come from the C library. Signals go to the
// PE's own thread. Where the strategy faults, by a bad address say, its thread stands still, and the PE goes
// on, unless it comes to wait for a lock, which the thread may hold (FaultsAlone). The thread owns what it
// works with as well: one that is left to itself at the end of a job works on with nothing that has ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

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
  DecisionThread() = default;
  DecisionThread(const DecisionThread&) = delete;
  DecisionThread& operator=(const DecisionThread&) = delete;
  /// Work that is not done is left to itself, with what it owns.
  ~DecisionThread();

  /// All work that begins from now on may run on all cores that the process's machine has, since others wait
  /// there, and gives way to all.
  void give_way() { gives_way_ = true; }

  /// Not while works().
  DecisionWork& operator*() { return *work_; }
  DecisionWork* operator->() { return work_.get(); }

  /// Decides by `then`, which the planner has taken for `interval`. Not while works().
  void start();
  /// Starts a decision with the team, about this PE's part, from which `then_here` is made. Not while
  /// works().
  void start_together(lb::MeasuredPart measured, std::uint64_t seed);

  bool works() const { return thread_.joinable(); }
  /// Whether the plan, or the failure, is there: once.
  bool take_done();
  /// The signal by which the strategy faulted, else 0. It is never done then, and no other can begin.
  int fault() const { return progress_->fault.load(std::memory_order_acquire); }

 private:
  void begin(std::function<void(DecisionWork&)> think);

  /// How far the work is. The thread shares it, which may outlast this object.
  struct Progress {
    std::atomic<int> fault = 0;
    std::atomic<bool> done = false;  // released by the thread, acquired in take_done()
  };

  std::shared_ptr<DecisionWork> work_ = std::make_shared<DecisionWork>();
  std::thread thread_;
  std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
  bool gives_way_ = false;
};

}  // namespace skein::balance
