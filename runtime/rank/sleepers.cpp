// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/sleepers.hpp"

#include <algorithm>

namespace skein {

void Sleepers::add(Fiber& fiber, std::uint64_t wake_at) {
  heap_.push_back({wake_at, &fiber});
  std::ranges::push_heap(heap_, wakes_later);
  note_next();
}

Fiber& Sleepers::pop() {
  std::ranges::pop_heap(heap_, wakes_later);
  Fiber& fiber = *heap_.back().fiber;
  heap_.pop_back();
  note_next();
  return fiber;
}

}  // namespace skein
