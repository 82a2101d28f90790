// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/waits.hpp"

#include <algorithm>

namespace skein::simulate {

void Requests::grow() {
  const std::uint32_t size = states_ ? 2 * (mask_ + 1) : 8;
  auto wider = std::make_unique<std::uint8_t[]>(size);
  for (std::uint32_t request = oldest_; request != next_; ++request)
    wider[request & (size - 1)] = state(request);
  states_ = std::move(wider);
  mask_ = size - 1;
}

std::uint32_t Requests::start() {
  if (!states_ || next_ - oldest_ > mask_) grow();
  state(next_) = pending;
  return next_++;
}

bool Requests::complete(std::uint32_t request) {
  const bool waits = state(request) == awaited;
  state(request) = ready;
  return waits;
}

bool Requests::await(std::uint32_t request) {
  if (request - oldest_ >= next_ - oldest_ || state(request) != pending) return true;
  state(request) = awaited;
  return false;
}

void Requests::retire(std::uint32_t request) {
  if (request - oldest_ >= next_ - oldest_) return;
  state(request) = done;
  while (oldest_ != next_ && state(oldest_) == done) ++oldest_;
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

void Waits::complete(Completion completion) {
  if (completion.task == none) return;
  if (completion.request != none && !requests_[completion.task].complete(completion.request)) return;
  Task& task = tasks_[completion.task];
  if (--task.left > 0 || !task.blocked) return;
  task.blocked = false;
  machine_.make_ready(pe_of_[object_of(completion.task)], completion.task);
}

bool Waits::wait_for(ObjectIndex object, std::span<const std::uint64_t> ago) {
  Requests& requests = requests_[object];
  for (const std::uint64_t back : ago)
    if (!requests.await(requests.started() - 1 - static_cast<std::uint32_t>(back))) expect(object);
  return may_go_on(object);
}

void Waits::retire(ObjectIndex object, std::span<const std::uint64_t> ago) {
  Requests& requests = requests_[object];
  for (const std::uint64_t back : ago)
    requests.retire(requests.started() - 1 - static_cast<std::uint32_t>(back));
}

}  // namespace skein::simulate
