// SPDX-License-Identifier: Apache-2.0
// Copying blocks between a user's buffer and a packed stream, in either direction: the innermost loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace skein::vmpi {

enum class Direction : std::uint8_t { pack, unpack };

template <Direction direction>
inline void copy_block(std::byte* user, std::byte* packed, std::int64_t bytes) {
  if constexpr (direction == Direction::pack)
    std::memcpy(packed, user, static_cast<std::size_t>(bytes));
  else
    std::memcpy(user, packed, static_cast<std::size_t>(bytes));
}

namespace detail {
/// Calls copy(constant) with `bytes` as a compile-time constant for sizes of a few words, so that each block
/// takes a few moves; else copy(bytes), where each is a memcpy.
template <class Copy>
inline void with_constant(std::int64_t bytes, Copy&& copy) {
  switch (bytes) {
#define SKEIN_CASE(n) \
  case n:             \
    return copy(std::integral_constant<std::int64_t, n>());
    SKEIN_CASE(1)
    SKEIN_CASE(2)
    SKEIN_CASE(4)
    SKEIN_CASE(8)
    SKEIN_CASE(12)
    SKEIN_CASE(16)
    SKEIN_CASE(24)
    SKEIN_CASE(32)
    SKEIN_CASE(40)
    SKEIN_CASE(48)
    SKEIN_CASE(64)
#undef SKEIN_CASE
    default:
      return copy(bytes);
  }
}
}  // namespace detail

/// Copies a block of a few words without a call: lists of short blocks are common (fields of structures, mesh
/// indices).
template <Direction direction>
inline void copy_short_block(std::byte* user, std::byte* packed, std::int64_t bytes) {
  detail::with_constant(bytes, [=](auto size) { copy_block<direction>(user, packed, size); });
}

/// Copies `count` blocks of `bytes` bytes, `stride` apart in the user's buffer and side by side in the packed
/// stream.
template <Direction direction>
inline void copy_strided(std::byte* user, std::byte* packed, std::int64_t bytes, std::int64_t count,
                         std::int64_t stride) {
  detail::with_constant(bytes, [=](auto size) {
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < count; ++i)
      copy_block<direction>(user + i * stride, packed + i * size, size);
  });
}

/// Copies blocks at listed offsets.
template <Direction direction>
inline void copy_listed(std::byte* user, std::byte* packed, std::int64_t bytes, std::int64_t count,
                        const std::int64_t* offsets) {
  detail::with_constant(bytes, [=](auto size) {
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < count; ++i)
      copy_block<direction>(user + offsets[i], packed + i * size, size);
  });
}

}  // namespace skein::vmpi
