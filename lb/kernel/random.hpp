// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers that are the same on every machine (the distributions of <random> differ between
// libraries).
#pragma once
#include <cstdint>

namespace skein::lb {

/// SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA
/// 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// Returns the generator that Random(seed) becomes after `steps` numbers.
  static Random at(std::uint64_t seed, std::uint64_t steps) { return Random(seed + steps * kStep); }

  std::uint64_t bits() {
    std::uint64_t z = (state_ += kStep);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Returns a uniform multiple of 2^-53 in [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// Returns a uniform number in [0, limit), limit > 0. Scaling 32 random bits has a bias below limit / 2^32.
  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>(((bits() >> 32) * std::uint64_t{limit}) >> 32);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;
  std::uint64_t state_;
};

}  // namespace skein::lb
