// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::chare {

/// Whether the address lies in the guard of the stack of the thread that runs: it has overflowed.
bool in_guard_of_thread(const void* address);

}  // namespace skein::chare
