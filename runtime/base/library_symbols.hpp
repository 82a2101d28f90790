// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein {

/// A place in a library of this process, or in its program.
struct LibraryPlace {
  const char* file = nullptr;    ///< last part of its path; empty for the program itself
  std::uintptr_t address = 0;    ///< as in the file
  const char* symbol = nullptr;  ///< the exported function that holds it, or null
};

/// Like dladdr(), but takes no lock of the dynamic linker (from glibc 2.35 on), so that it may be called in
/// handlers of faults. False when the address is in no library.
bool find_in_library(const void* address, LibraryPlace& place);

}  // namespace skein
