// SPDX-License-Identifier: Apache-2.0
// Indices of the elements of an array: Index1 to Index6, or a type of the user's that is trivially copyable,
// default-constructible and comparable, and has no padding between its members.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <span>
#include <string>
#include <type_traits>

namespace skein {

template <int n>
requires(n >= 1 && n <= 6) struct Index {
  static constexpr int dimensions = n;
  int at[n] = {};

  constexpr Index() = default;
  template <std::convertible_to<int>... Coordinate>
  requires(sizeof...(Coordinate) == n) constexpr Index(Coordinate... coordinate)
      : at{static_cast<int>(coordinate)...} {}

  constexpr int& operator[](int i) { return at[i]; }
  constexpr int operator[](int i) const { return at[i]; }
  constexpr bool operator==(const Index&) const = default;
  constexpr auto operator<=>(const Index&) const = default;
};

using Index1 = Index<1>;
using Index2 = Index<2>;
using Index3 = Index<3>;
using Index4 = Index<4>;
using Index5 = Index<5>;
using Index6 = Index<6>;

/// Calls f(index) for each index from zero up to the bounds, the last coordinate fastest.
template <class I, class F>
void for_each_index(const I& bounds, F f) {
  for (int i = 0; i < I::dimensions; ++i)
    if (bounds[i] <= 0) return;
  I index{};
  for (;;) {
    f(index);
    int i = I::dimensions - 1;
    while (i >= 0 && ++index[i] == bounds[i]) index[i--] = 0;
    if (i < 0) return;
  }
}

template <class I>
concept index_type = std::is_trivially_copyable_v<I> && std::default_initializable<I> &&
    std::equality_comparable<I> && std::has_unique_object_representations_v<I>;

/// Returns a hash of all bits of the index, equal on all PEs.
template <index_type I>
std::uint64_t hash_of(const I& index) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0xd6e8feb86659fd93u;
    hash ^= hash >> 32;
  };
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&index);
  std::size_t i = 0;
  for (; i + 8 <= sizeof(I); i += 8) {
    std::uint64_t word;
    memcpy(&word, bytes + i, 8);
    mix(word);
  }
  if constexpr (sizeof(I) % 8 != 0) {
    std::uint64_t word = 0;
    memcpy(&word, bytes + i, sizeof(I) % 8);
    mix(word);
  }
  return hash;
}

namespace chare {
std::string text_of_coordinates(std::span<const int> at);
std::string text_of_bytes(std::span<const std::byte> bytes);
/// Write the text into `out`, zero-terminated, without allocating: for handlers of faults.
void write_coordinates(std::span<const int> at, std::span<char> out);
void write_bytes(std::span<const std::byte> bytes, std::span<char> out);
/// Returns the text that `write` writes for the value.
std::string text_written(void (*write)(std::ostream& out, const void* value), const void* value);
}  // namespace chare

/// Returns the index as text for messages: {1, 2, 3}; a user's index by its operator<<, or else its bytes.
template <index_type I>
std::string text_of(const I& index) {
  if constexpr (requires { I::dimensions; })
    return chare::text_of_coordinates(index.at);
  else if constexpr (requires(std::ostream & out) { out << index; })
    return chare::text_written(
        [](std::ostream& out, const void* value) { out << *static_cast<const I*>(value); }, &index);
  else
    return chare::text_of_bytes(std::as_bytes(std::span(&index, 1)));
}

/// Writes the text of the index into `out`; for a user's index its bytes.
template <index_type I>
void write_index(const I& index, std::span<char> out) {
  if constexpr (requires { I::dimensions; })
    chare::write_coordinates(index.at, out);
  else
    chare::write_bytes(std::as_bytes(std::span(&index, 1)), out);
}

}  // namespace skein
