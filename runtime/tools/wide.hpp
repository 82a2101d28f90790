// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein::tools {

/// For %llu.
inline unsigned long long wide(std::uint64_t n) { return n; }

}  // namespace skein::tools
