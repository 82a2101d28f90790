// SPDX-License-Identifier: Apache-2.0
// Settings of the C and C++ libraries that natively are the process's and here each rank's own: functions
// that the program has the libraries call. The process itself has a function set that calls the running
// rank's (cxx_settings.cpp, printf_conversions.cpp). tests/job/settings lists the others.
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

/// A rank's settings; null where it has set none.
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

/// Calls `fork` with the handlers of the running rank around it.
pid_t fork_with_handlers(pid_t (*fork)());

/// Sets the functions that ask ranks. Once a process, before any rank exists.
void share_cxx_settings();
/// Puts the settings of a rank that has come to this PE in place.
void settings_arrive(const Rank& rank);

}  // namespace skein::libc
