// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/waits.hpp"

#include <algorithm>
#include <bit>

namespace skein::simulate {

void Requests::grow() {
  const std::uint32_t size = 2 * (mask_ + 1);
  auto wider = std::make_unique<std::uint64_t[]>(size / in_word);
  for (std::uint32_t request = oldest_; request != next_; ++request)
    wider[(request & (size - 1)) / in_word] |= static_cast<std::uint64_t>(state(request))
                                               << 2 * (request % in_word);
  wide_ = std::move(wider);
  mask_ = size - 1;
}

bool Requests::await(std::uint32_t request) {
  if (request - oldest_ >= next_ - oldest_ || state(request) != pending) return true;
  set(request, awaited);
  return false;
}

void Requests::retire(std::uint32_t request) {
  if (request - oldest_ >= next_ - oldest_) return;
  set(request, done);
  while (oldest_ != next_ && state(oldest_) == done) ++oldest_;
}

/// Works on whole words: the lower bit of a pair means pending or awaited, the upper ready or awaited.
bool Requests::await_all(std::size_t count, std::uint32_t& left) {
  if (wide_ || count != next_ - oldest_) return false;
  constexpr std::uint64_t lower = 0x5555555555555555;
  for (std::uint64_t& word : words_) {
    const std::uint64_t waits = word & lower & ~(word >> 1);
    if (waits == 0) continue;
    word |= waits << 1;
    left += static_cast<std::uint32_t>(std::popcount(waits));
  }
  return true;
}

bool Requests::retire_all(std::size_t count) {
  if (wide_ || count != next_ - oldest_) return false;
  for (std::uint64_t& word : words_) word = 0;
  oldest_ = next_;
  return true;
}

TaskId Waits::add_task(ObjectIndex of) {
  if (free_.empty()) {
    beside_.push_back(of);
    tasks_.emplace_back();
    return static_cast<TaskId>(tasks_.size() - 1);
  }
  const TaskId task = free_.back();
  free_.pop_back();
  beside_[task - pe_of_.size()] = of;
  return task;
}

void Waits::remove_task(TaskId task) { free_.push_back(task); }

void Waits::complete_awaited(Completion completion) {
  Task& task = tasks_[completion.task];
  if (--task.left > 0 || !task.blocked) return;
  task.blocked = false;
  machine_.make_ready(pe_of_[object_of(completion.task)], completion.task);
}

bool Waits::wait_for(ObjectIndex object, std::span<const std::uint64_t> ago, bool latest) {
  Requests& requests = tasks_[object].requests;
  if (latest && requests.await_all(ago.size(), tasks_[object].left)) return may_go_on(object);
  for (const std::uint64_t back : ago)
    if (!requests.await(requests.started() - 1 - static_cast<std::uint32_t>(back))) expect(object);
  return may_go_on(object);
}

void Waits::retire(ObjectIndex object, std::span<const std::uint64_t> ago, bool latest) {
  Requests& requests = tasks_[object].requests;
  if (latest && requests.retire_all(ago.size())) return;
  for (const std::uint64_t back : ago)
    requests.retire(requests.started() - 1 - static_cast<std::uint32_t>(back));
}

}  // namespace skein::simulate
