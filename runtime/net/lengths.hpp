// SPDX-License-Identifier: Apache-2.0
// Lengths of messages between PEs.
#pragma once

#include <cstddef>

namespace skein::net {

/// The longest active message, header and payload together.
inline constexpr std::size_t kLongestMessage = 16 * 1024 - 64;

/// The bytes of a message from this node that lie in its first cache line; the others lie in the lines
/// behind.
inline constexpr std::size_t kBytesOfFirstLine = 56;

/// Data of a message.
struct Bytes {
  const void* data = nullptr;
  std::size_t size = 0;
};

/// The MPI underneath counts in int: longer transfers are split into pieces of this length.
inline constexpr std::size_t kLongestPiece = std::size_t{1} << 30;

}  // namespace skein::net
