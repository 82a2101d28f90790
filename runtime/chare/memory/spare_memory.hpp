// SPDX-License-Identifier: Apache-2.0
// The memory that a PE keeps for later calls. Very many calls or elements at one time leave more than it
// needs: this is given back to the operating system when the PE has been idle for a while, so that nothing
// waits for it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::chare {

/// Makes malloc() of the process keep up to 64 MiB of free memory until it is given back here. At the start.
/// By default the C library gives back the free memory behind the last block as soon as that is 128 KiB, so
/// that calls which pile up repeatedly cost a page fault for each 4 KiB. Settings of malloc() in the
/// environment take precedence (mallopt(3): GLIBC_TUNABLES, MALLOC_TRIM_THRESHOLD_ and relatives).
void keep_spare_memory();

/// Gives memory back. Called by the loop when it has been idle since `idle_since`, in ticks().
void give_back_memory(std::uint64_t idle_since);

}  // namespace skein::chare
