// SPDX-License-Identifier: Apache-2.0
// Who waits for what: the requests of each object, and how many operations each task waits for.
//
//   left of a task == operations that it has begun to wait for and that are not complete
//   a task is blocked only while its left > 0; the last completion makes it ready
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lb/simulate/machine.hpp"
#include "lb/simulate/message.hpp"

namespace skein::simulate {

// The requests of one object, by number, from the oldest that is not done with on.
class Requests {
 public:
  std::uint32_t start();
  std::uint32_t started() const { return next_; }
  // Whether somebody waits for it.
  bool complete(std::uint32_t request);
  // False: it is not complete; its completion is awaited now.
  bool await(std::uint32_t request);
  // After it was awaited and is complete: it is done with.
  void retire(std::uint32_t request);
  bool is_awaited(std::uint32_t request) const {
    return request - oldest_ < next_ - oldest_ && states_[request & mask_] == awaited;
  }

 private:
  enum : std::uint8_t { done = 0, pending = 1, ready = 2, awaited = 3 };
  std::uint8_t& state(std::uint32_t request) { return states_[request & mask_]; }
  void grow();

  std::unique_ptr<std::uint8_t[]> states_;  // a ring
  std::uint32_t mask_ = 0;
  std::uint32_t oldest_ = 0, next_ = 0;
};

class Waits {
 public:
  // `pe_of`: where each object is.
  Waits(Machine& machine, const std::vector<PeIndex>& pe_of)
      : machine_(machine), pe_of_(pe_of), requests_(pe_of.size()), tasks_(pe_of.size()) {}

  Requests& requests(ObjectIndex object) { return requests_[object]; }
  const Requests& requests(ObjectIndex object) const { return requests_[object]; }
  // A task beside its object's own.
  TaskId add_task(ObjectIndex of);
  void remove_task(TaskId task);
  ObjectIndex object_of(TaskId task) const {
    return task < pe_of_.size() ? task : beside_[task - static_cast<TaskId>(pe_of_.size())];
  }

  // The task waits for one operation more.
  void expect(TaskId task) { ++tasks_[task].left; }
  void complete(Completion completion);
  // Whether the task waits for nothing; if it does, the last completion makes it ready.
  bool may_go_on(TaskId task) {
    if (tasks_[task].left == 0) return true;
    tasks_[task].blocked = true;
    return false;
  }
  // The object's own task waits for these of its requests, each given as how many were started after it.
  // True: all are complete.
  bool wait_for(ObjectIndex object, std::span<const std::uint64_t> ago);
  // Once that is over.
  void retire(ObjectIndex object, std::span<const std::uint64_t> ago);

 private:
  struct Task {
    std::uint32_t left = 0;
    bool blocked = false;
  };
  Machine& machine_;
  const std::vector<PeIndex>& pe_of_;
  std::vector<Requests> requests_;
  std::vector<Task> tasks_;
  std::vector<ObjectIndex> beside_;  // of tasks beside objects' own
  std::vector<TaskId> free_;
};

}  // namespace skein::simulate
