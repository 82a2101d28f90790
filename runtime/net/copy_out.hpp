// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

namespace skein::net {

/// Whether this machine copies 32 bytes at once.
extern const bool copies_wide;
/// As copy_out(), of a line of the cache or more. Precondition: `wide` only where it can.
void copy_lines_out(std::byte* to, const std::byte* from, std::size_t bytes, bool wide = copies_wide);

/// memcpy() of what a handler gets, which another core has just written. From the end to the begin: a core
/// that reads lines in ascending order fetches those behind them ahead, and these the writer has taken back
/// for its next message, and would have to take back once more.
inline void copy_out(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes > 64)
    copy_lines_out(to, from, bytes);
  else if (bytes > 0)
    memcpy(to, from, bytes);
}

}  // namespace skein::net
