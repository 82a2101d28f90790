// SPDX-License-Identifier: Apache-2.0
#include "runtime/fiber/thread_state.hpp"

#include <cxxabi.h>

#include <cerrno>

namespace skein::fiber {

ThreadStatePlace thread_state_place;

void find_thread_state() {
  thread_state_place = {&errno, reinterpret_cast<ExceptionGlobals*>(abi::__cxa_get_globals())};
}

}  // namespace skein::fiber
