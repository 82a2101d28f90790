// SPDX-License-Identifier: Apache-2.0
// Calls with a priority: those with a smaller one first, and among equals first in, first out.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "skein/chare/message.hpp"

namespace skein::chare {

struct PrioritizedCall {
  std::int64_t priority;
  std::uint64_t number;  ///< in the order of coming
  Message* call;
};

class PriorityQueue {
 public:
  bool empty() const { return calls_.empty(); }
  void push(Message& call, std::int64_t priority) { calls_.push({priority, next_++, &call}); }
  /// One that was popped: before those of its priority that came later.
  void put_back(const PrioritizedCall& call) { calls_.push(call); }
  PrioritizedCall pop() {
    const PrioritizedCall first = calls_.top();
    calls_.pop();
    return first;
  }

 private:
  struct Later {
    bool operator()(const PrioritizedCall& a, const PrioritizedCall& b) const {
      return a.priority != b.priority ? a.priority > b.priority : a.number > b.number;
    }
  };
  std::priority_queue<PrioritizedCall, std::vector<PrioritizedCall>, Later> calls_;
  std::uint64_t next_ = 0;
};

}  // namespace skein::chare
