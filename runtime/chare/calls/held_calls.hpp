// SPDX-License-Identifier: Apache-2.0
// Calls that are put aside. Elements of arrays that do not synchronize may never rest, but must not keep the
// others from their LB step: while all elements that synchronize wait at a sync point, the calls of these
// arrays are held, so that the job becomes quiet, and continue after the step. HoldPolicy decides when
// (hold_policy.hpp).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/chare/calls/priorities.hpp"

namespace skein::chare {

class HeldCalls {
 public:
  void keep(Message& message) { plain_.push(message); }
  void keep(const PrioritizedCall& call) { prioritized_.push_back(call); }

  /// Returns the held calls to the queues, in front of calls that came since.
  void release(Queue& plain, PriorityQueue& urgent, PriorityQueue& patient) {
    plain.prepend(std::exchange(plain_, {}));
    for (const PrioritizedCall& call : prioritized_) (call.priority < 0 ? urgent : patient).put_back(call);
    prioritized_.clear();
  }

 private:
  Queue plain_;
  std::vector<PrioritizedCall> prioritized_;
};

}  // namespace skein::chare
