// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/library_state.hpp"

#include "runtime/libc/caller.hpp"
#include "runtime/libc/process.hpp"

namespace skein::libc {

/// Starts like the C library's own state, as if srandom(1) had been called (ISO C 7.22.2.2 asks for it).
RandomState::RandomState() { initstate_r(1, table, sizeof table, &data); }

LibraryState& library_state(const char* function) {
  Rank& rank = calling_rank(function);
  ProcessState& process = *rank.process;
  if (!process.library) {
    std::pmr::polymorphic_allocator<> slot(&rank.memory);
    process.library = slot.new_object<LibraryState>(&rank.memory);
  }
  return *process.library;
}

}  // namespace skein::libc
