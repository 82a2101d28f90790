// SPDX-License-Identifier: Apache-2.0
// Numbers as a symbol of one byte and the bits below.
//
// A number below 8 is its own symbol. A number of e > 3 bits has the symbol 8 + 4 * (e - 4) + the two bits
// below its highest one, and e - 3 bits of noise, written from the lowest bit of each byte up.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace skein::trace {

inline constexpr std::uint64_t kOwnSymbol = 8;  // smaller numbers are symbols
inline constexpr std::uint8_t kLastSymbol = 8 + 4 * (64 - 4) + 3;

class NoiseWriter {
 public:
  /// Makes room for `values` values.
  explicit NoiseWriter(std::size_t values)
      : symbols_(std::make_unique_for_overwrite<std::uint8_t[]>(values)),
        bits_(std::make_unique_for_overwrite<std::uint8_t[]>(8 * values + 8)),
        at_(bits_.get()) {}

  void put(std::uint64_t value) {
    if (value < kOwnSymbol) {
      symbols_[count_++] = static_cast<std::uint8_t>(value);
      return;
    }
    const unsigned low = static_cast<unsigned>(std::bit_width(value)) - 3;
    symbols_[count_++] = static_cast<std::uint8_t>(kOwnSymbol + 4 * (low - 1) + (value >> low & 3));
    if (low > 32) {
      put_bits(value & 0xffffffffu, 32);
      value >>= 32;
    }
    const unsigned left = low > 32 ? low - 32 : low;
    put_bits(value & ((std::uint64_t{1} << left) - 1), left);
  }
  std::span<const std::uint8_t> symbols() const { return {symbols_.get(), count_}; }
  /// Returns the bits; call it after the last value.
  std::span<const std::uint8_t> bits() const {
    return {bits_.get(), static_cast<std::size_t>(at_ - bits_.get()) + (held_bits_ + 7) / 8};
  }

 private:
  void put_bits(std::uint64_t bits, unsigned count) {  // at most 32; fewer than 8 are held
    held_ |= bits << held_bits_;
    held_bits_ += count;
    std::memcpy(at_, &held_, sizeof held_);
    const unsigned whole = held_bits_ / 8;
    at_ += whole;
    held_ >>= 8 * whole;
    held_bits_ -= 8 * whole;
  }

  std::unique_ptr<std::uint8_t[]> symbols_, bits_;
  std::uint8_t* at_;  // in bits_: the place of the bits that are held
  std::size_t count_ = 0;
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;
};

class NoiseReader {
 public:
  NoiseReader(std::span<const std::uint8_t> symbols, std::span<const std::uint8_t> bits)
      : symbols_(symbols), bits_(bits) {}

  /// Returns the next number. Call it at most once for each symbol.
  std::uint64_t get() {
    const std::uint8_t symbol = symbols_[next_++];
    if (symbol < kOwnSymbol) return symbol;
    const unsigned low = (symbol - unsigned{kOwnSymbol}) / 4 + 1;
    const std::uint64_t high = 4 | ((symbol - kOwnSymbol) & 3);
    if (low > 61) {
      failed_ = true;
      return 0;
    }
    const std::uint64_t below = low > 32 ? get_bits(32) | get_bits(low - 32) << 32 : get_bits(low);
    return high << low | below;
  }
  /// Returns true if a symbol was unknown, there were too few bits, or, after the last number, too many.
  bool failed() const { return failed_ || bits_.size() - at_ != 0; }

 private:
  std::uint64_t get_bits(unsigned count) {  // at most 32
    if (held_bits_ < count) refill(count);
    const std::uint64_t taken = held_ & ((std::uint64_t{1} << count) - 1);
    held_ >>= count;
    held_bits_ -= count;
    return taken;
  }
  void refill(unsigned count) {
    while (held_bits_ < count) {
      if (at_ == bits_.size()) {
        failed_ = true;
        held_bits_ = count;
        return;
      }
      held_ |= std::uint64_t{bits_[at_++]} << held_bits_;
      held_bits_ += 8;
    }
  }

  std::span<const std::uint8_t> symbols_, bits_;
  std::size_t next_ = 0, at_ = 0;
  std::uint64_t held_ = 0;
  unsigned held_bits_ = 0;
  bool failed_ = false;
};

}  // namespace skein::trace
