// SPDX-License-Identifier: Apache-2.0
// The executions of an object in the order in which they are played: as recorded, except for executions that
// come after an LB step in a run which stops at some sync points (sync_order.hpp). These are put aside until
// then.
//
//   next to be played: the first execution, in the recorded order, that comes after fewer sync points than
//   the next LB step; for an element that stopped there, first the execution that the step resumes
#pragma once
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <utility>

#include "lb/simulate/executions.hpp"
#include "lb/simulate/sync_order.hpp"

namespace skein::simulate {

class ObjectStream {
 public:
  explicit ObjectStream(Executions executions) : executions_(std::move(executions)) { read(); }
  /// Sets the order in which executions come after sync points; without this call it is the recorded order.
  void order_by(std::span<const SyncOrder::ExecutionRun> order) { order_ = order; }

  /// Sets `next` to the execution that is played next. Returns false if none is left before the LB step at
  /// sync point `step`. `stopped`: the object stands at that point. An object that does not may wait for an
  /// execution after the step, if it has no other left; then this returns such an execution.
  bool next(std::uint64_t step, bool stopped, Execution& next);
  /// Resumes the object after the LB step at which it has stopped.
  void resume();
  bool at_end() const { return aside_.empty() && !has_ahead_; }

 private:
  struct Aside {
    Execution execution;
    std::uint64_t after;
  };
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  void read();
  /// Return the number of sync points before ahead_, and the least number before any later execution.
  std::uint64_t after() const { return order_.empty() ? 0 : order_.front().after; }
  std::uint64_t least_later() const;
  void put_aside();

  Executions executions_;
  std::span<const SyncOrder::ExecutionRun> order_;  // begins with the run of ahead_
  Execution ahead_;
  bool has_ahead_ = false;
  std::uint64_t read_ = 0;  // executions, ahead_ included
  std::deque<Aside> aside_;
};

}  // namespace skein::simulate
