// SPDX-License-Identifier: Apache-2.0
// A strategy at work on a thread beside the PE's own, which goes on meanwhile: its input and its result.
// Strategies are pure, and need neither ranks nor messages.
//
// On the thread no rank runs (current_rank() is null), and blocks come from the C library. Signals go to the
// PE's own thread. If the strategy faults, by a bad address say, its thread stands still, and the PE goes on,
// unless it comes to wait for a lock that the thread holds (FaultsAlone). The thread shares ownership of its
// work: if it outlives the job, it uses nothing that has ended.
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

/// Input and result of a decision; the thread's alone while it works.
struct DecisionWork {
  std::optional<lb::Planner> planner;
  std::optional<lb::Interval> interval;
  lb::Snapshot then;
  lb::SnapshotPart then_here;  ///< in place of `then`, where several decide together
  lb::StepPlan plan;
  std::string failure;  ///< the error that the strategy threw; empty: none
  double took_s = 0;
};

class DecisionThread {
 public:
  DecisionThread() = default;
  DecisionThread(const DecisionThread&) = delete;
  DecisionThread& operator=(const DecisionThread&) = delete;
  /// Leaves work that is not done, with what it owns, to its thread.
  ~DecisionThread();

  /// Lets all work that begins from now on run on all cores of the process's machine, with the lowest
  /// priority, since others wait there.
  void give_way() { gives_way_ = true; }

  /// Returns the work. Precondition: not works().
  DecisionWork& operator*() { return *work_; }
  DecisionWork* operator->() { return work_.get(); }

  /// Decides by `then`, which the planner has taken for `interval`. Precondition: not works().
  void start();
  /// Starts a decision with the team, about this PE's part, from which `then_here` is made. Precondition: not
  /// works().
  void start_together(lb::MeasuredPart measured, std::uint64_t seed);

  bool works() const { return thread_.joinable(); }
  /// Returns true, once, when the plan or the failure is there.
  bool take_done();
  /// Returns the signal by which the strategy faulted, else 0. After a fault the work is never done, and no
  /// other can begin.
  int fault() const { return progress_->fault.load(std::memory_order_acquire); }

 private:
  void begin(std::function<void(DecisionWork&)> think);

  /// The progress of the work. Shared with the thread, which may outlast this object.
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
