// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace skein::libc {

/// Entries of a vector that a null pointer ends, as argv and environ are; none of a vector that is null
/// itself.
inline std::size_t null_ended_length(char* const* vector) {
  std::size_t n = 0;
  while (vector && vector[n]) ++n;
  return n;
}

}  // namespace skein::libc
