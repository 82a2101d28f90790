// SPDX-License-Identifier: Apache-2.0
// Children of ranks, which are the system's children of the PE where they were started: only that one can
// wait for them. A rank stays on its PE until it has waited for all of its own, and waits for nobody else's.
#pragma once

#include <sys/types.h>

namespace skein {
struct Rank;
}

namespace skein::libc {

/// The rank that runs has started `child`, if it is above 0. Returns it; keeps errno.
pid_t note_child(pid_t child);

}  // namespace skein::libc
