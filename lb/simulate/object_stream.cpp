// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/object_stream.hpp"

#include <algorithm>
#include <utility>

namespace skein::simulate {

void ObjectStream::read() {
  has_ahead_ = executions_.next(ahead_);
  if (!has_ahead_) return;
  if (order_.size() > 1 && order_[1].first == read_) order_ = order_.subspan(1);
  ++read_;
}

std::uint64_t ObjectStream::least_later() const {
  if (order_.empty()) return never;
  const bool is_last_of_run = order_.size() > 1 && order_[1].first == read_;
  return is_last_of_run ? order_.front().least_later
                        : std::min(order_.front().after, order_.front().least_later);
}

void ObjectStream::put_aside() {
  aside_.push_back({std::move(ahead_), after()});
  read();
}

bool ObjectStream::next(std::uint64_t step, bool stopped, Execution& next) {
  const auto first = std::ranges::find_if(aside_, [&](const Aside& aside) { return aside.after < step; });
  if (first != aside_.end()) {
    next = std::move(first->execution);
    aside_.erase(first);
    return true;
  }
  while (has_ahead_) {
    const bool is_last_before = least_later() >= step;
    if (after() < step || (is_last_before && !stopped && aside_.empty())) {
      std::swap(next, ahead_);
      read();
      return true;
    }
    if (is_last_before && after() >= step) break;
    put_aside();
  }
  return false;
}

/// The traces of other tools may lack the execution that a step resumes, so the search ends at the next sync
/// point.
void ObjectStream::resume() {
  const auto resumed = [](const Aside& aside) { return aside.execution.is(trace::Cause::resumed); };
  // An index, because put_aside() makes iterators invalid.
  std::ptrdiff_t place = std::ranges::find_if(aside_, resumed) - aside_.begin();
  for (bool synced = false; place == std::ssize(aside_) && has_ahead_ && !synced;) {
    synced = ahead_.syncs();
    put_aside();
    if (!resumed(aside_.back())) ++place;
  }
  if (place == std::ssize(aside_)) return;
  const auto found = aside_.begin() + place;
  Aside first = std::move(*found);
  aside_.erase(found);
  first.after = 0;
  aside_.push_front(std::move(first));
}

}  // namespace skein::simulate
