// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of memory for calls to come. Very many calls or elements at one time leave more than it
// needs: it is given back to the operating system when the PE has been idle for a while, so that nobody waits
// for it.
#pragma once

#include <cstdint>

namespace skein::chare {

/// By the loop, when it has had nothing to do since then, in ticks().
void give_back_memory(std::uint64_t idle_since);

}  // namespace skein::chare
