// SPDX-License-Identifier: Apache-2.0
// The executions of an object in the order in which they are played: as recorded, but for those that in a run
// which stops at some sync points come after an LB step (sync_order.hpp). They are put aside until then.
//
//   next to be played: the first execution, in the recorded order, that comes after fewer sync points than
//   the next LB step; of the element that stopped there, first of all what the step resumes
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
  /// Without it the order is the recorded one.
  void order_by(std::span<const SyncOrder::ExecutionRun> order) { order_ = order; }

  /// Sets `next` to what is played next; false: nothing before the LB step at sync point `step`. `stopped`:
  /// the object is there. One that is not may wait for what comes after it, where nothing else is left to it.
  bool next(std::uint64_t step, bool stopped, Execution& next);
  /// After the step at which the object has stopped.
  void resume();
  bool at_end() const { return aside_.empty() && !has_ahead_; }

 private:
  struct Aside {
    Execution execution;
    std::uint64_t after;
  };
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  void read();
  /// After how many sync points ahead_ comes; the least of those behind it.
  std::uint64_t after() const { return order_.empty() ? 0 : order_.front().after; }
  std::uint64_t least_later() const;
  void put_aside();

  Executions executions_;
  std::span<const SyncOrder::ExecutionRun> order_;  // from that of ahead_ on
  Execution ahead_;
  bool has_ahead_ = false;
  std::uint64_t read_ = 0;  // executions, ahead_ included
  std::deque<Aside> aside_;
};

}  // namespace skein::simulate
