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

/// memcpy() from memory of another core to memory that this one is to have. Between these sizes lines are
/// written past the caches: the other core has those of both ends, as a rule in its second-level cache, and
/// to get them from there before they are written over takes as long as to get the data.
void copy_over(std::byte* to, const std::byte* from, std::size_t bytes);
inline constexpr std::size_t least_past_caches = std::size_t{32} << 10;
/// What second-level caches hold. Longer data is in the third-level cache, from where both come fast.
extern const std::size_t most_past_caches;

}  // namespace skein::net
