// SPDX-License-Identifier: Apache-2.0
// The ELF note by which `skein run` knows a native program.
#pragma once

#include <cstdint>

namespace skein::chare {

inline constexpr std::uint32_t kNativeNoteType = 1;
inline constexpr char kNativeNoteOwner[8] = "Skein";

struct NativeNote {
  std::uint32_t name_bytes;
  std::uint32_t description_bytes;
  std::uint32_t type;
  char owner[8];
};

}  // namespace skein::chare
