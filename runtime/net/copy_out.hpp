// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

namespace skein::net {

/// True if this machine copies 32 bytes at once.
extern const bool copies_wide;
/// Copies `bytes` bytes, at least a cache line, as copy_out() does. Precondition: `wide` implies copies_wide.
void copy_lines_out(std::byte* to, const std::byte* from, std::size_t bytes, bool wide = copies_wide);

/// Copies a message that another core has just written to where a handler gets it. Copies from the end to the
/// begin: a core that reads lines in ascending order prefetches those behind them, which the writer has
/// already taken back for its next message, and would have to take back once more.
inline void copy_out(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 64)
    copy_lines_out(to, from, bytes);
  else if (bytes > 0)
    memcpy(to, from, bytes);
}

}  // namespace skein::net
