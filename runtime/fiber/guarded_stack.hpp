// SPDX-License-Identifier: Apache-2.0
// Stacks of native programs' threads, each above pages that must not be touched. Those of ranks lie in their
// slots (runtime/arena/arena.hpp).
#pragma once

#include <cstddef>

namespace skein::fiber {

/// A stack. Later ones of this process use its memory again.
class GuardedStack {
 public:
  /// Takes a stack. Throws skein::Error when the system refuses, naming the limit.
  GuardedStack();
  ~GuardedStack();
  GuardedStack(const GuardedStack&) = delete;
  GuardedStack& operator=(const GuardedStack&) = delete;

  /// Returns the end with the highest address, where the stack begins.
  std::byte* top() const;
  std::size_t bytes() const;
  bool guards(const void* address) const;

 private:
  std::byte* base_;  // of the guard, below the stack
};

/// Sets the size of all stacks, without guards, to a multiple of the page. Before the first is made.
void set_stack_bytes(std::size_t bytes);

}  // namespace skein::fiber
