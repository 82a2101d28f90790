// SPDX-License-Identifier: Apache-2.0
// Bytes at the end of which is written through a pointer: room for what comes is made first, once.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace skein::trace {

class GrowingBytes {
 public:
  /// Where to write, with room for `most` bytes.
  std::uint8_t* room(std::size_t most) {
    if (used_ + most > bytes_.size()) [[unlikely]]
      bytes_.resize(std::max<std::size_t>(256, bytes_.size() + bytes_.size() / 2 + most));
    return bytes_.data() + used_;
  }
  void wrote_to(const std::uint8_t* end) { used_ = static_cast<std::size_t>(end - bytes_.data()); }
  std::size_t size() const { return used_; }
  const std::uint8_t* data() const { return bytes_.data(); }
  void clear() { used_ = 0; }
  /// No more than it takes, with `slack` bytes behind what was written; empties it.
  std::vector<std::uint8_t> take(std::size_t slack) {
    bytes_.resize(used_ + slack);
    bytes_.shrink_to_fit();
    used_ = 0;
    return std::move(bytes_);
  }

 private:
  std::vector<std::uint8_t> bytes_;  // longer than what is used
  std::size_t used_ = 0;
};

}  // namespace skein::trace
