// SPDX-License-Identifier: Apache-2.0
// Times as exact as they are worth: the last digits of a measured time are noise, which nothing compresses.
//
// The times of a column are rounded to a power of two of nanoseconds: at most 1/64 of their typical length
// (2^(b - 1) if they have b bits on the average), and 1024 ns. What one is rounded by is taken into account
// at the next, so that their sum is what it was, to half a step.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace skein::trace {

inline constexpr unsigned kExactBits = 6, kMostRoundedBits = 10;

inline unsigned rounded_bits(std::span<const std::uint64_t> times) {
  std::uint64_t bits = 0;
  for (const std::uint64_t time : times) bits += static_cast<unsigned>(std::bit_width(time));
  const std::uint64_t typical = bits / std::max<std::size_t>(times.size(), 1);
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(typical, kExactBits + 1, kExactBits + 1 + kMostRoundedBits) - kExactBits - 1);
}

inline void round_times(std::span<std::uint64_t> times) {
  const unsigned bits = rounded_bits(times);
  if (bits == 0) return;
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  std::uint64_t debt = half;  // half a step, and what the times so far were rounded by
  for (std::uint64_t& time : times) {
    const std::uint64_t due = time + debt;
    time = due >> bits << bits;
    debt = due - time;
  }
}

}  // namespace skein::trace
