// SPDX-License-Identifier: Apache-2.0
// Reading and writing raw bytes, within bounds.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>

#include "skein/pup/errors.hpp"

namespace skein::pup {

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::byte* position() const { return at_; }

  /// Returns the next `bytes` bytes and passes them.
  const std::byte* advance(std::size_t bytes) {
    if (bytes > left()) [[unlikely]]
      fail_too_short(bytes, left());
    const std::byte* const here = at_;
    at_ += bytes;
    return here;
  }
  void copy(void* to, std::size_t bytes) {
    const std::byte* const from = advance(bytes);
    if (bytes != 0) memcpy(to, from, bytes);
  }

 private:
  const std::byte* at_;
  const std::byte* end_;
};

class Writer {
 public:
  explicit Writer(std::span<std::byte> room) : at_(room.data()), end_(at_ + room.size()) {}

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::byte* position() const { return at_; }

  /// Returns room for `bytes` bytes, to be written by the caller.
  std::byte* give(std::size_t bytes) {
    if (bytes > left()) [[unlikely]]
      fail_no_room();
    std::byte* const here = at_;
    at_ += bytes;
    return here;
  }
  void copy(const void* from, std::size_t bytes) {
    std::byte* const to = give(bytes);
    if (bytes != 0) memcpy(to, from, bytes);
  }

 private:
  std::byte* at_;
  std::byte* end_;
};

/// Memory for bytes; a small size needs no allocation.
class Room {
 public:
  Room() = default;
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  /// Returns uninitialised memory for `bytes` bytes. Call it once.
  std::span<std::byte> make(std::size_t bytes) {
    bytes_ = bytes;
    if (bytes > sizeof near_) far_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    return this->bytes();
  }
  std::span<std::byte> bytes() { return {far_ ? far_.get() : near_, bytes_}; }

 private:
  std::size_t bytes_ = 0;
  std::unique_ptr<std::byte[]> far_;
  std::byte near_[256];
};

}  // namespace skein::pup
