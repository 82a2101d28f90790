// SPDX-License-Identifier: Apache-2.0
// Tells which executions of a recorded native program come after which sync points, in any run.
//
// If elements do not stop at a sync point, one that has passed it may send to another that has yet to reach
// it, and the recording has the message's effects before the other's sync point. In a run that stops there
// the message is sent after the LB step, and its effects come after the other's sync point, too. Independent
// of the recorded order is which execution causes which. So
//
//   an execution comes after as many sync points as
//     resumed by an LB step       its element has passed then
//     caused by a message         the execution that sends it does
//     caused by a reduction       the last of the contributing executions does
//     waiting for quiescence      the executions of its object before it do
//   and, if it reaches its element's n-th sync point itself, as n - 1 at least
//
// Sync points are counted as elements count them, who begin with the number of their makers. Elements that a
// PE makes begin with none: the number of the execution that makes them is added.
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
    std::uint32_t least_later;  // the least `after` of the runs behind this one
  };

  SyncOrder(const trace::Trace& trace, const CauseNumbers& causes);

  std::span<const ExecutionRun> of(trace::ObjectIndex object) const { return runs_[object]; }

 private:
  std::vector<std::vector<ExecutionRun>> runs_;
};

}  // namespace skein::simulate
