// SPDX-License-Identifier: Apache-2.0
// The part of a fiber's stack that must be kept while the fiber does not run. Mostly that is the part above
// its saved stack pointer: below lies only what functions left behind. But a program may leave the fiber's
// stack for one that it made itself (makecontext(), coroutines, sigaltstack()), in its heap, its static data,
// or a frame of that very stack: then the stack pointer tells nothing about the fiber's own stack.
#pragma once

#include <cstddef>

#include "runtime/rank/rank.hpp"

namespace skein {

/// Returns true if an address lies on the fiber's stack.
inline bool is_on_stack(const Fiber& fiber, const void* address) {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= fiber.stack_begin && at < fiber.stack_end;
}

/// Returns the begin of the part of the stack that must be kept, for a fiber that does not run. Takes about a
/// microsecond for each call that the fiber is in.
inline std::byte* stack_in_use(const Fiber& fiber) {
  const bool is_own =
      is_on_stack(fiber, fiber.context) &&
      fiber::waits_on_own_stack(fiber.context, fiber.stack_end - fiber.launcher_bytes, fiber.stack_end);
  return is_own ? static_cast<std::byte*>(fiber.context) : fiber.stack_begin;
}

}  // namespace skein
