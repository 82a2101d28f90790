// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace skein {

/// Returns about how many bytes the processes of this machine can have without anything being swapped out or
/// killed, or fewer if the control groups of this one (of version 1 or 2) allow fewer. Returns the largest
/// number if the system does not tell. `root`: of /proc and /sys, for tests.
std::uint64_t free_memory(const std::string& root = "");

}  // namespace skein
