// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace skein {

/// About how many bytes the processes of this machine can have, or fewer where the control groups of this one
/// (of version 1 or 2) allow it fewer, without anything being swapped out or killed. The most there is where
/// the system does not tell. `root`: of /proc and /sys, for tests.
std::uint64_t free_memory(const std::string& root = "");

}  // namespace skein
