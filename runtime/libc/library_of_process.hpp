// SPDX-License-Identifier: Apache-2.0
// State that the C and C++ libraries have once a process, where each rank has its own (library_state.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <vector>

#include "runtime/libc/library_state.hpp"

namespace skein::libc {

struct LibraryOfProcess {
  /// The rank whose position the C library has in a database, and the position.
  struct Place {
    int rank = -1;
    std::uint64_t seen = 0;
  };
  std::array<Place, LibraryState::databases> in_force;

  /// A modifier that ranks have given register_printf_modifier(): the numbers are this process's.
  struct Modifier {
    wchar_t text[32];
    int number;
  };
  std::vector<Modifier> modifiers;

  // ---- behaviour of the process without ranks
  std::terminate_handler terminate = nullptr;
  void (*unexpected)() = nullptr;
};
extern LibraryOfProcess library_of_process;

}  // namespace skein::libc
