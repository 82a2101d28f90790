// SPDX-License-Identifier: Apache-2.0
// Settings of the C and C++ libraries that are the process's and each rank's own here: functions that the
// program has the libraries call. In the process itself stands a function that calls the one of the rank that
// runs (cxx_settings.cpp, printf_conversions.cpp). tests/job/settings lists what else there is.
#pragma once

#include <printf.h>
#include <sys/types.h>

#include <exception>
#include <memory_resource>
#include <new>
#include <vector>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// Null where the rank has set none.
struct CxxSettings {
  std::terminate_handler terminate = nullptr;
  void (*unexpected)() = nullptr;
  std::new_handler new_handler = nullptr;
  std::pmr::memory_resource* resource = nullptr;
};

/// A conversion that the rank has taught printf().
struct PrintfConversion {
  int letter;
  printf_function* print;
  printf_arginfo_size_function* arguments;
};

/// The handlers of one pthread_atfork().
struct ForkHandlers {
  void (*prepare)();
  void (*parent)();
  void (*child)();
};

/// For the rank that runs: its handlers around a call of `fork`.
pid_t fork_with_handlers(pid_t (*fork)());

/// Puts the functions that ask ranks in place. Once a process, before any rank exists.
void share_cxx_settings();
/// The rank is on this PE now.
void settings_arrive(const Rank& rank);

}  // namespace skein::libc
