// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace skein::net {

/// The MPI underneath counts in int: what is longer goes in pieces.
inline constexpr std::size_t longest_piece = std::size_t{1} << 30;

}  // namespace skein::net
