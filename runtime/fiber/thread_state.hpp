// SPDX-License-Identifier: Apache-2.0
// A thread's state in the C library and the C++ runtime, which every switch of stacks exchanges: a fiber may
// block with errno in use, or inside a catch block.
#pragma once

namespace skein {

struct ThreadState {
  void* caught_exceptions = nullptr;
  unsigned uncaught_exceptions = 0;
  int error_number = 0;
};

namespace fiber {

/// The first two members of what __cxa_get_globals() returns (Itanium C++ ABI, 2.2.2).
struct ExceptionGlobals {
  void* caught;
  unsigned uncaught;
};

/// The addresses of the switching thread's state. Constant while the thread lives, and equal on all PEs of an
/// MPI job (their thread pointers are).
struct ThreadStatePlace {
  int* error_number = nullptr;
  ExceptionGlobals* exceptions = nullptr;
};
extern ThreadStatePlace thread_state_place;
/// Finds the addresses, before the first switch.
void find_thread_state();

inline void save(ThreadState& state) {
  state = {thread_state_place.exceptions->caught, thread_state_place.exceptions->uncaught,
           *thread_state_place.error_number};
}
inline void restore(const ThreadState& state) {
  *thread_state_place.error_number = state.error_number;
  *thread_state_place.exceptions = {state.caught_exceptions, state.uncaught_exceptions};
}

}  // namespace fiber
}  // namespace skein
