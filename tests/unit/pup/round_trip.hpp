// SPDX-License-Identifier: Apache-2.0
// Checks that a value comes back as it was, and that unpacking survives every truncation and every damaged
// byte.
#pragma once

#include <doctest/doctest.h>

#include <memory>

#include "skein/pup.hpp"

namespace skein::pup_test {

/// Bytes in a block of exactly their size, so that the address sanitizer sees a read past the end.
class ExactBytes {
 public:
  explicit ExactBytes(std::span<const std::byte> bytes)
      : size_(bytes.size()), bytes_(std::make_unique<std::byte[]>(size_)) {
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
  }
  std::span<const std::byte> span() const { return {bytes_.get(), size_}; }
  std::byte& operator[](std::size_t i) { return bytes_[i]; }

 private:
  std::size_t size_;
  std::unique_ptr<std::byte[]> bytes_;
};

/// Unpacks damaged bytes, which must throw CorruptBuffer or give a value that can be packed again.
template <class T>
void unpack_damaged(std::span<const std::byte> bytes) {
  try {
    (void)packed_size(unpack<T>(bytes));
  } catch (const CorruptBuffer&) {
  }
}

template <class T>
T check_round_trip(const T& value) {
  const std::vector<std::byte> packed = pack(value);
  CHECK(packed.size() == packed_size(value));
  for (std::size_t bytes = 0; bytes < packed.size(); ++bytes) {
    const ExactBytes truncated({packed.data(), bytes});
    CHECK_THROWS_AS(unpack<T>(truncated.span()), CorruptBuffer);
  }
  for (std::size_t i = 0; i < packed.size(); ++i) {
    for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
      ExactBytes damaged{packed};
      damaged[i] ^= static_cast<std::byte>(flip);
      unpack_damaged<T>(damaged.span());
    }
  }
  std::vector<std::byte> longer = packed;
  longer.push_back({});
  CHECK_THROWS_AS(unpack<T>(longer), CorruptBuffer);
  return unpack<T>(ExactBytes{packed}.span());
}

/// Checks a round trip of a value that can be compared.
template <class T>
void check_equal_after_round_trip(const T& value) {
  CHECK(check_round_trip(value) == value);
}

}  // namespace skein::pup_test
