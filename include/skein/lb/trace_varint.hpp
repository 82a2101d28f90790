// SPDX-License-Identifier: Apache-2.0
// Numbers of one to nine bytes, little-endian. The number of zero bits below the lowest one bit of the first
// byte tells the length; the number follows that one bit. A first byte of zero is followed by eight bytes. So
// neither direction needs a loop: lengths change all the time here, and a loop (LEB128) would be
// mispredicted.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

namespace skein::trace {

static_assert(std::endian::native == std::endian::little, "numbers in files are little-endian");

inline constexpr std::size_t kMaxVarint = 9;

/// Writes `value`. May write up to kMaxVarint bytes; only those before the returned pointer count.
inline std::uint8_t* put_varint(std::uint8_t* at, std::uint64_t value) {
  if (value >> 56) [[unlikely]] {
    *at = 0;
    std::memcpy(at + 1, &value, 8);
    return at + kMaxVarint;
  }
  const unsigned bytes = (70 - static_cast<unsigned>(std::countl_zero(value | 1))) / 7;
  const std::uint64_t word = (value << 1 | 1) << (bytes - 1);
  std::memcpy(at, &word, 8);
  return at + bytes;
}

/// Returns `value` as the lowest kBytes bytes of a word, which may be more bytes than it needs.
template <unsigned kBytes>
constexpr std::uint64_t padded_varint(std::uint64_t value) {
  static_assert(kBytes < kMaxVarint);
  return (value << 1 | 1) << (kBytes - 1);
}

/// The bits of the number, by its length in bytes.
inline constexpr std::uint64_t kVarintMasks[kMaxVarint] = {0,
                                                           (1ull << 7) - 1,
                                                           (1ull << 14) - 1,
                                                           (1ull << 21) - 1,
                                                           (1ull << 28) - 1,
                                                           (1ull << 35) - 1,
                                                           (1ull << 42) - 1,
                                                           (1ull << 49) - 1,
                                                           (1ull << 56) - 1};

/// Reads a number and returns the address behind it. Always reads kMaxVarint bytes, whatever the length.
inline const std::uint8_t* get_varint(const std::uint8_t* at, std::uint64_t& value) {
  if (*at == 0) [[unlikely]] {
    std::memcpy(&value, at + 1, 8);
    return at + kMaxVarint;
  }
  const unsigned bytes = static_cast<unsigned>(std::countr_zero(unsigned{*at})) + 1;
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  value = word >> bytes & kVarintMasks[bytes];
  return at + bytes;
}

/// Maps small numbers of either sign, 0, -1, 1, -2, ..., to small numbers 0, 1, 2, 3, ...
inline std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

}  // namespace skein::trace
