// SPDX-License-Identifier: Apache-2.0
// Tracks the requests of each object, and how many operations each task waits for.
//
//   left of a task == operations that the task waits for and that are not complete
//   a task is blocked only while its left > 0; the last completion makes it ready
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lb/simulate/large_pages.hpp"
#include "lb/simulate/machine.hpp"
#include "lb/simulate/message.hpp"

namespace skein::simulate {

/// The requests of one object, by number, from the oldest one in use.
class Requests {
 public:
  /// Starts a request; `complete`: it is complete at once. Returns its number.
  std::uint32_t start(bool complete = false) {
    if (next_ - oldest_ > mask_) [[unlikely]]
      grow();
    set(next_, complete ? ready : pending);
    return next_++;
  }
  std::uint32_t started() const { return next_; }
  /// Completes a request. Returns true if it is awaited.
  bool complete(std::uint32_t request) {
    const bool waits = state(request) == awaited;
    set(request, ready);
    return waits;
  }
  /// Awaits the request's completion. Returns false if it is not complete yet.
  bool await(std::uint32_t request);
  /// Frees a request that was awaited and is complete.
  void retire(std::uint32_t request);
  /// Awaits all requests that are in use, if they are `count`; adds the incomplete ones to `left`. Returns
  /// false, and does nothing, if their number differs or they are too many for this.
  bool await_all(std::size_t count, std::uint32_t& left);
  bool retire_all(std::size_t count);
  bool is_awaited(std::uint32_t request) const {
    return request - oldest_ < next_ - oldest_ && state(request) == awaited;
  }

 private:
  enum State : std::uint64_t { done = 0, pending = 1, ready = 2, awaited = 3 };
  /// States are a ring of words, two bits each: words_, or wide_ if there are many requests.
  static constexpr std::uint32_t in_word = 32, here = 4 * in_word;

  std::uint64_t& word(std::uint32_t request) {
    const std::uint32_t place = (request & mask_) / in_word;
    if (wide_) [[unlikely]]
      return wide_[place];
    return words_[place];
  }
  std::uint64_t word(std::uint32_t request) const { return const_cast<Requests*>(this)->word(request); }
  State state(std::uint32_t request) const {
    return static_cast<State>(word(request) >> 2 * (request % in_word) & 3);
  }
  void set(std::uint32_t request, State state) {
    std::uint64_t& at = word(request);
    const unsigned shift = 2 * (request % in_word);
    at = (at & ~(std::uint64_t{3} << shift)) | static_cast<std::uint64_t>(state) << shift;
  }
  void grow();

  std::uint64_t words_[here / in_word] = {};
  std::unique_ptr<std::uint64_t[]> wide_;
  std::uint32_t mask_ = here - 1;
  std::uint32_t oldest_ = 0, next_ = 0;
};

class Waits {
 public:
  /// `pe_of`: by object.
  Waits(Machine& machine, const std::vector<PeIndex>& pe_of)
      : machine_(machine), pe_of_(pe_of), tasks_(pe_of.size()) {}

  Requests& requests(ObjectIndex object) { return tasks_[object].requests; }
  const Requests& requests(ObjectIndex object) const { return tasks_[object].requests; }
  void prefetch(TaskId task) const { prefetch_line(&tasks_[task]); }
  /// Adds a task of an object beside the object's own task.
  TaskId add_task(ObjectIndex of);
  void remove_task(TaskId task);
  ObjectIndex object_of(TaskId task) const {
    return task < pe_of_.size() ? task : beside_[task - static_cast<TaskId>(pe_of_.size())];
  }

  /// Makes the task wait for one operation more.
  void expect(TaskId task) { ++tasks_[task].left; }
  void complete(Completion completion) {
    if (completion.task == kNone) return;
    if (completion.request != kNone && !tasks_[completion.task].requests.complete(completion.request)) return;
    complete_awaited(completion);
  }
  /// Returns true if the task waits for nothing; else the last completion makes it ready.
  bool may_go_on(TaskId task) {
    if (tasks_[task].left == 0) return true;
    tasks_[task].blocked = true;
    return false;
  }
  /// Makes the object's own task wait for some of its requests, each given as how many were started after it;
  /// `latest`: they are the last ones started. Returns true if all are complete.
  bool wait_for(ObjectIndex object, std::span<const std::uint64_t> ago, bool latest);
  /// Frees these requests after the wait.
  void retire(ObjectIndex object, std::span<const std::uint64_t> ago, bool latest);

 private:
  /// Takes one cache line.
  struct alignas(64) Task {
    Requests requests;  // of an object's own task
    std::uint32_t left = 0;
    bool blocked = false;
  };
  static_assert(sizeof(Task) == 64);
  void complete_awaited(Completion completion);

  Machine& machine_;
  const std::vector<PeIndex>& pe_of_;
  LargeVector<Task> tasks_;
  std::vector<ObjectIndex> beside_;  // of tasks beside objects' own
  std::vector<TaskId> free_;
};

}  // namespace skein::simulate
