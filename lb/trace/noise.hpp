// SPDX-License-Identifier: Apache-2.0
// Numbers as a symbol of one byte and the bits below.
//
// Below 8: the number itself. Of e bits, e > 3: 8 + 4 * (e - 4) + the two bits below the highest; and e - 3
// bits of noise, written from the lowest bit of each byte up.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "lb/trace/bytes.hpp"

namespace skein::trace {

inline constexpr std::uint64_t kOwnSymbol = 8;  // numbers below are symbols
inline constexpr std::uint8_t kLastSymbol = 8 + 4 * (64 - 4) + 3;

class NoiseWriter {
 public:
  NoiseWriter(std::vector<std::uint8_t>& symbols, std::vector<std::uint8_t>& noise)
      : symbols_(symbols), noise_(noise) {}

  void put(std::uint64_t value) {
    if (value < kOwnSymbol) {
      symbols_.push_back(static_cast<std::uint8_t>(value));
      return;
    }
    const unsigned low = static_cast<unsigned>(std::bit_width(value)) - 3;
    symbols_.push_back(static_cast<std::uint8_t>(kOwnSymbol + 4 * (low - 1) + (value >> low & 3)));
    if (low > 32) {
      put_bits(value & 0xffffffffu, 32);
      put_bits(value >> 32 & ((std::uint64_t{1} << (low - 32)) - 1), low - 32);
    } else {
      put_bits(value & ((std::uint64_t{1} << low) - 1), low);
    }
  }
  void flush() {
    for (; held_bits_ > 0; held_bits_ -= held_bits_ < 8 ? held_bits_ : 8, held_ >>= 8)
      noise_.push_back(static_cast<std::uint8_t>(held_));
  }

 private:
  void put_bits(std::uint64_t bits, unsigned count) {  // at most 32; fewer than 32 are held
    held_ |= bits << held_bits_;
    held_bits_ += count;
    if (held_bits_ < 32) return;
    const std::uint32_t whole = static_cast<std::uint32_t>(held_);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&whole);
    noise_.insert(noise_.end(), bytes, bytes + sizeof whole);
    held_ >>= 32;
    held_bits_ -= 32;
  }

  std::vector<std::uint8_t>&symbols_, &noise_;
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

class NoiseReader {
 public:
  NoiseReader(ByteReader& symbols, std::span<const std::uint8_t> noise) : symbols_(symbols), noise_(noise) {}

  std::uint64_t get() {
    const std::uint8_t symbol = symbols_.byte();
    if (symbol < kOwnSymbol) return symbol;
    if (symbol > kLastSymbol) symbols_.fail("the unknown symbol " + std::to_string(symbol));
    const unsigned low = (symbol - kOwnSymbol) / 4 + 1;
    const std::uint64_t high = 4 | ((symbol - kOwnSymbol) & 3);
    const std::uint64_t below = low > 32 ? get_bits(32) | get_bits(low - 32) << 32 : get_bits(low);
    return high << low | below;
  }

 private:
  std::uint64_t get_bits(unsigned count) {  // at most 32
    while (held_bits_ < count) {
      if (noise_.empty()) symbols_.fail("the packed bits end too early");
      held_ |= std::uint64_t{noise_[0]} << held_bits_;
      noise_ = noise_.subspan(1);
      held_bits_ += 8;
    }
    const std::uint64_t bits = held_ & ((std::uint64_t{1} << count) - 1);
    held_ >>= count;
    held_bits_ -= count;
    return bits;
  }

  ByteReader& symbols_;
  std::span<const std::uint8_t> noise_;
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

}  // namespace skein::trace
