// SPDX-License-Identifier: Apache-2.0
// How long messages between PEs are.
#pragma once

#include <cstddef>

namespace skein::net {

/// The longest active message, header and payload together.
inline constexpr std::size_t kLongestMessage = 16 * 1024 - 64;

/// So many bytes of a message from this node lie in its first cache line, and the others in the lines behind
/// it.
inline constexpr std::size_t kBytesOfFirstLine = 56;

/// Data of a message.
struct Bytes {
  const void* data = nullptr;
  std::size_t size = 0;
};

/// The MPI underneath counts in int: what is longer goes in pieces.
inline constexpr std::size_t kLongestPiece = std::size_t{1} << 30;

}  // namespace skein::net
