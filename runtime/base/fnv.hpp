// SPDX-License-Identifier: Apache-2.0
// FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo): a digest that is the same on every PE. It does not
// resist a search for collisions. Callable from anywhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein {

class Fnv1a {
 public:
  Fnv1a() = default;
  /// Begins a digest; digests of different salts differ.
  explicit Fnv1a(std::uint64_t salt) : value_(basis ^ salt) {}

  void add(const void* data, std::size_t bytes) {
    const auto* const p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) value_ = (value_ ^ p[i]) * prime;
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t basis = 0xcbf29ce484222325u, prime = 0x100000001b3u;
  std::uint64_t value_ = basis;
};

}  // namespace skein
