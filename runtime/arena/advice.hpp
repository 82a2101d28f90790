// SPDX-License-Identifier: Apache-2.0
// madvise(2) for many ranges in one system call: for ranges of a page or two, entering the system is a good
// part of the cost.
#pragma once

#include <span>

#include "runtime/arena/arena.hpp"

namespace skein::arena {

/// Gives one advice for whole pages of this process. Returns false if the kernel cannot (before 6.13 it does
/// not take such advice for several ranges), or not for all of them; any of them may have got it then.
[[nodiscard]] bool advise_together(std::span<const Range> ranges, int advice);

}  // namespace skein::arena
