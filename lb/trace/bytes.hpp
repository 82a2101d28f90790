// SPDX-License-Identifier: Apache-2.0
// Numbers and texts in sequence, as they are in the file before compression.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skein/lb/trace_varint.hpp"

namespace skein::trace {

class ByteWriter {
 public:
  void number(std::uint64_t value) {
    std::uint8_t space[kMaxVarint];
    bytes_.insert(bytes_.end(), space, put_varint(space, value));
  }
  void signed_number(std::int64_t value) { number(zigzag(value)); }
  void byte(std::uint8_t value) { bytes_.push_back(value); }
  void text(std::string_view value);
  void raw(std::span<const std::uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  std::vector<std::uint8_t>& bytes() { return bytes_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Reads what ByteWriter wrote. Throws TraceError, whose text begins with `called`, for other bytes.
class ByteReader {
 public:
  ByteReader(std::span<const std::uint8_t> bytes, const std::string& called)
      : left_(bytes), called_(called) {}

  std::uint64_t number();
  std::int64_t signed_number() { return unzigzag(number()); }
  /// Returns a number up to `most`; `what` names it in messages.
  std::uint64_t number(std::uint64_t most, const char* what);
  std::uint32_t number32(const char* what) { return static_cast<std::uint32_t>(number(UINT32_MAX, what)); }
  /// Returns a count of things that take at least `least` bytes each.
  std::size_t count(std::size_t least, const char* what) { return number(left_.size() / least, what); }
  std::uint8_t byte();
  std::string text();
  std::span<const std::uint8_t> take(std::size_t bytes);
  std::span<const std::uint8_t> left() const { return left_; }
  [[noreturn]] void fail(const std::string& because) const;

 private:
  std::span<const std::uint8_t> left_;
  const std::string& called_;
};

/// A growing buffer that is written through a pointer to its end: callers make room once, before writing.
class GrowingBytes {
 public:
  /// Returns the place to write, with room for `most` bytes.
  std::uint8_t* room(std::size_t most) {
    if (used_ + most > bytes_.size()) [[unlikely]]
      bytes_.resize(std::max<std::size_t>(256, bytes_.size() + bytes_.size() / 2 + most));
    return bytes_.data() + used_;
  }
  void wrote_to(const std::uint8_t* end) { used_ = static_cast<std::size_t>(end - bytes_.data()); }
  std::size_t size() const { return used_; }
  const std::uint8_t* data() const { return bytes_.data(); }
  void clear() { used_ = 0; }
  /// Returns the bytes in the least possible memory, with `slack` bytes behind them, and empties the buffer.
  std::vector<std::uint8_t> take(std::size_t slack) {
    bytes_.resize(used_ + slack);
    bytes_.shrink_to_fit();
    used_ = 0;
    return std::move(bytes_);
  }

 private:
  std::vector<std::uint8_t> bytes_;  // longer than the used part
  std::size_t used_ = 0;
};

}  // namespace skein::trace
