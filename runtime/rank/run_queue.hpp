// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/rank/rank.hpp"

namespace skein {

/// The ready fibers of a PE, in their order: linked by Fiber::next_ready.
struct RunQueue {
  Fiber* head = nullptr;
  Fiber* tail = nullptr;

  void push(Fiber& fiber) {
    fiber.next_ready = nullptr;
    if (tail)
      tail->next_ready = &fiber;
    else
      head = &fiber;
    tail = &fiber;
  }
  /// Removes and returns the first fiber. Precondition: there is one.
  Fiber* pop() {
    Fiber* fiber = head;
    head = fiber->next_ready;
    if (!head) tail = nullptr;
    return fiber;
  }
};

}  // namespace skein
