// SPDX-License-Identifier: Apache-2.0
// Memory that is soon needed is brought into the cache.
#pragma once
#include <algorithm>
#include <cstddef>

namespace skein::simulate {

/// The line of the cache that this is in. It may be any address.
///
/// GCC takes a function that only reads and prefetches for one without effects, and drops the calls of it:
/// the empty statement is an effect.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

/// Those of a piece of memory, the first 1 KiB of it at most: of more the processor fetches the rest by
/// itself.
inline void prefetch_lines(const void* begin, std::size_t bytes) {
  const auto* const at = static_cast<const std::byte*>(begin);
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 1024); i += 64) prefetch_line(at + i);
}

}  // namespace skein::simulate
