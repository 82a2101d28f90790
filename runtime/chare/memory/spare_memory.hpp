// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of memory for calls to come. Very many calls or elements at one time leave more than it
// needs: it is given back to the operating system when the PE has been idle for a while, so that nobody waits
// for it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::chare {

/// At the start, of the process's malloc(): what is free stays, up to 64 MiB, until it is given back here. By
/// itself the C library gives back what is free behind the last block as soon as that is 128 KiB, so that
/// calls which pile up again and again cost a page fault for each 4 KiB. What the environment says of
/// malloc() goes first (mallopt(3): GLIBC_TUNABLES, MALLOC_TRIM_THRESHOLD_ and relatives).
void keep_spare_memory();

/// By the loop, when it has had nothing to do since then, in ticks().
void give_back_memory(std::uint64_t idle_since);

}  // namespace skein::chare
