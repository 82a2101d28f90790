// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace skein::trace {

inline constexpr std::size_t longest_name = 255;

/// The string at an address that may be none: nothing is touched that cannot be read. False unless there is
/// one of 1 to longest_name printable characters (UTF-8 or any other bytes above ASCII), or longer, of which
/// the beginning counts.
bool read_name(const char* address, char (&out)[longest_name + 1]);

}  // namespace skein::trace
