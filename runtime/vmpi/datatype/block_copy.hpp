// SPDX-License-Identifier: Apache-2.0
// Copying blocks between a user's buffer and a packed stream, in either direction: the innermost loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace skein::vmpi {

enum class Direction : std::uint8_t { pack, unpack };

template <Direction direction>
inline void copy_block(std::byte* user, std::byte* packed, std::int64_t bytes) {
  if constexpr (direction == Direction::pack)
    std::memcpy(packed, user, static_cast<std::size_t>(bytes));
  else
    std::memcpy(user, packed, static_cast<std::size_t>(bytes));
}

/// A block of a few words without a call: lists of short blocks are common (fields of structures, mesh
/// indices).
template <Direction direction>
inline void copy_short_block(std::byte* user, std::byte* packed, std::int64_t bytes) {
  switch (bytes) {
    case 4:
      return copy_block<direction>(user, packed, 4);
    case 8:
      return copy_block<direction>(user, packed, 8);
    case 12:
      return copy_block<direction>(user, packed, 12);
    case 16:
      return copy_block<direction>(user, packed, 16);
    case 24:
      return copy_block<direction>(user, packed, 24);
    case 32:
      return copy_block<direction>(user, packed, 32);
    default:
      return copy_block<direction>(user, packed, bytes);
  }
}

namespace detail {
template <Direction direction, std::int64_t bytes>
inline void copy_strided_fixed(std::byte* user, std::byte* packed, std::int64_t count, std::int64_t stride) {
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < count; ++i)
    copy_block<direction>(user + i * stride, packed + i * bytes, bytes);
}
}  // namespace detail

/// `count` blocks of `bytes`, `stride` apart in the user's buffer and side by side in the packed stream.
template <Direction direction>
inline void copy_strided(std::byte* user, std::byte* packed, std::int64_t bytes, std::int64_t count,
                         std::int64_t stride) {
  using detail::copy_strided_fixed;
  switch (bytes) {
    case 1:
      return copy_strided_fixed<direction, 1>(user, packed, count, stride);
    case 2:
      return copy_strided_fixed<direction, 2>(user, packed, count, stride);
    case 4:
      return copy_strided_fixed<direction, 4>(user, packed, count, stride);
    case 8:
      return copy_strided_fixed<direction, 8>(user, packed, count, stride);
    case 12:
      return copy_strided_fixed<direction, 12>(user, packed, count, stride);
    case 16:
      return copy_strided_fixed<direction, 16>(user, packed, count, stride);
    case 24:
      return copy_strided_fixed<direction, 24>(user, packed, count, stride);
    case 32:
      return copy_strided_fixed<direction, 32>(user, packed, count, stride);
    case 40:
      return copy_strided_fixed<direction, 40>(user, packed, count, stride);
    case 48:
      return copy_strided_fixed<direction, 48>(user, packed, count, stride);
    case 64:
      return copy_strided_fixed<direction, 64>(user, packed, count, stride);
    default:
      for (std::int64_t i = 0; i < count; ++i)
        copy_block<direction>(user + i * stride, packed + i * bytes, bytes);
  }
}

}  // namespace skein::vmpi
