// SPDX-License-Identifier: Apache-2.0
// Which executions of a recorded native program come after which sync points, in whatever run.
//
// Where elements do not stop at a sync point, one that has passed it may send to another that has yet to come
// there, and the recording has what that message causes before the other's sync point. In a run that stops
// there it is sent after the LB step, and comes after the other's sync point, too. What does not depend on
// the recorded order is what causes what. So
//
//   an execution comes after as many sync points as
//     what is resumed by an LB step   its element has passed then
//     what a message causes           the execution that sends it does
//     what a reduction causes         the last of the executions that contribute does
//     what waits for quiescence       those before it, of its object, do
//   and, where it comes to its element's n-th sync point itself, as n - 1 at least
//
// Sync points are counted as elements count them, who begin with those of their makers. Those that a PE makes
// begin with none: to them is added what the execution comes after that makes them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "lb/simulate/executions.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

class SyncOrder {
 public:
  /// Executions of one object, from `first` on.
  struct ExecutionRun {
    std::uint64_t first;
    std::uint32_t after;        // sync points
    std::uint32_t least_later;  // of the runs behind this one: the least of theirs
  };

  SyncOrder(const trace::Trace& trace, const CauseNumbers& causes);

  std::span<const ExecutionRun> of(trace::ObjectIndex object) const { return runs_[object]; }

 private:
  std::vector<std::vector<ExecutionRun>> runs_;
};

}  // namespace skein::simulate
