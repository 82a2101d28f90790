// SPDX-License-Identifier: Apache-2.0
// Finds the caller of a function that the launcher defines in the C library's place: a rank's program (or a
// library on its behalf), or the runtime, the MPI library and threads of the process.
#pragma once

#include <dlfcn.h>

#include "runtime/base/check.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::libc {

/// Returns the rank whose program calls, or null when the runtime does: inside a RuntimeScope the heap is the
/// process's, so one word tells them apart.
inline Rank* program_rank() { return fiber::thread_block.heap ? fiber::thread_block.rank : nullptr; }

/// Returns the rank whose program calls, but null in a child that it forked off: what that child opens and
/// closes, and its directory, are its own, and its parent may have lent it its memory (vfork()).
inline Rank* rank_with_table() {
  Rank* const rank = program_rank();
  return rank && !in_forked_child() ? rank : nullptr;
}

/// Returns the C library's function behind one that the launcher exports under the same name. Keep the result
/// in a static.
template <class Function>
Function* next_function(const char* name) {
  fiber::RuntimeScope runtime;
  void* address = dlsym(RTLD_NEXT, name);
  SKEIN_CHECK(address, "the C library has no %s", name);
  return reinterpret_cast<Function*>(address);
}

}  // namespace skein::libc
