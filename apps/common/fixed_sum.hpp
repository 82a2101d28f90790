// SPDX-License-Identifier: Apache-2.0
// Sums that do not depend on the order of their terms, for reductions whose result is bitwise equal wherever
// elements are: numbers with 64 bits before the point and 64 behind it, which are added exactly.
#pragma once

#include <cmath>
#include <cstdint>

namespace apps {

/// A multiple of 2^-64, of absolute value below 2^62. A plain struct, so that its bytes can be sent.
struct FixedSum {
  std::uint64_t low = 0, high = 0;  // (high * 2^64 + low) * 2^-64 in two's complement

  /// Returns the nearest FixedSum. Precondition: |value| < 2^62.
  static FixedSum of(double value) { return from(static_cast<Wide>(std::rint(std::ldexp(value, 64)))); }
  double value() const { return std::ldexp(static_cast<double>(wide()), -64); }

  friend FixedSum operator+(const FixedSum& a, const FixedSum& b) { return from(a.wide() + b.wide()); }
  FixedSum& operator+=(const FixedSum& other) { return *this = *this + other; }
  FixedSum& operator+=(double value) { return *this += of(value); }

 private:
  __extension__ using Wide = __int128;
  __extension__ using Unsigned = unsigned __int128;
  static FixedSum from(Wide wide) {
    return {static_cast<std::uint64_t>(wide), static_cast<std::uint64_t>(wide >> 64)};
  }
  Wide wide() const { return static_cast<Wide>(static_cast<Unsigned>(high) << 64 | low); }
};

}  // namespace apps
