// SPDX-License-Identifier: Apache-2.0
// Memory that is soon needed is brought into the cache.
#pragma once

namespace skein::simulate {

// The line of the cache that this is in. It may be any address.
//
// GCC takes a function that only reads and prefetches for one without effects, and drops the calls of it: the
// empty statement is an effect.
inline void prefetch_line(const void* address) {
  __builtin_prefetch(address, 1);
  asm volatile("");
}

}  // namespace skein::simulate
