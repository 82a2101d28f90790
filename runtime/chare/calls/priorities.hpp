// SPDX-License-Identifier: Apache-2.0
// Calls with a priority: the smallest number first, equal ones first in, first out.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "skein/chare/message.hpp"

namespace skein::chare {

struct PrioritizedCall {
  std::int64_t priority;
  std::uint64_t number;  ///< in the order of arrival
  Message* call;
};

class PriorityQueue {
 public:
  bool empty() const { return calls_.empty(); }
  void push(Message& call, std::int64_t priority) { calls_.push({priority, next_++, &call}); }
  /// Puts back a call that was popped, before later ones of its priority.
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
