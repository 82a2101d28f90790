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

#include "lb/simulate/large_pages.hpp"
#include "lb/simulate/machine.hpp"
#include "lb/simulate/message.hpp"

namespace skein::simulate {

/// The requests of one object, by number, from the oldest that is not done with on.
class Requests {
 public:
  /// `complete`: from the beginning.
  std::uint32_t start(bool complete = false) {
    if (next_ - oldest_ > mask_) [[unlikely]]
      grow();
    set(next_, complete ? ready : pending);
    return next_++;
  }
  std::uint32_t started() const { return next_; }
  /// Whether somebody waits for it.
  bool complete(std::uint32_t request) {
    const bool waits = state(request) == awaited;
    set(request, ready);
    return waits;
  }
  /// False: it is not complete; its completion is awaited now.
  bool await(std::uint32_t request);
  /// After it was awaited and is complete: it is done with.
  void retire(std::uint32_t request);
  /// Awaits all that are not complete, if there are so many. Otherwise, or if these are too many to do it at
  /// once: nothing, and false.
  bool await_all(std::size_t count, std::uint32_t& left);
  bool retire_all(std::size_t count);
  bool is_awaited(std::uint32_t request) const {
    return request - oldest_ < next_ - oldest_ && state(request) == awaited;
  }

 private:
  enum State : std::uint64_t { done = 0, pending = 1, ready = 2, awaited = 3 };
  /// States are a ring of words, two bits each: those here, or, of many requests at once, others.
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
  /// `pe_of`: where each object is.
  Waits(Machine& machine, const std::vector<PeIndex>& pe_of)
      : machine_(machine), pe_of_(pe_of), tasks_(pe_of.size()) {}

  Requests& requests(ObjectIndex object) { return tasks_[object].requests; }
  const Requests& requests(ObjectIndex object) const { return tasks_[object].requests; }
  void prefetch(TaskId task) const { prefetch_line(&tasks_[task]); }
  /// A task beside its object's own.
  TaskId add_task(ObjectIndex of);
  void remove_task(TaskId task);
  ObjectIndex object_of(TaskId task) const {
    return task < pe_of_.size() ? task : beside_[task - static_cast<TaskId>(pe_of_.size())];
  }

  /// The task waits for one operation more.
  void expect(TaskId task) { ++tasks_[task].left; }
  void complete(Completion completion) {
    if (completion.task == kNone) return;
    if (completion.request != kNone && !tasks_[completion.task].requests.complete(completion.request)) return;
    complete_awaited(completion);
  }
  /// Whether the task waits for nothing; if it does, the last completion makes it ready.
  bool may_go_on(TaskId task) {
    if (tasks_[task].left == 0) return true;
    tasks_[task].blocked = true;
    return false;
  }
  /// The object's own task waits for these of its requests, each given as how many were started after it;
  /// `latest`: they are the last ones that were started. True: all are complete.
  bool wait_for(ObjectIndex object, std::span<const std::uint64_t> ago, bool latest);
  /// Once that is over.
  void retire(ObjectIndex object, std::span<const std::uint64_t> ago, bool latest);

 private:
  /// One line of the cache.
  struct alignas(64) Task {
    Requests requests;  // of an object's own
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
