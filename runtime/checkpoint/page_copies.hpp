// SPDX-License-Identifier: Apache-2.0
// Copies of pages in memory of this process alone, which a thread can write into files while ranks change
// their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/checkpoint/image_file.hpp"

namespace skein::checkpoint {

class PageCopies {
 public:
  PageCopies() = default;
  ~PageCopies();
  PageCopies(const PageCopies&) = delete;
  PageCopies& operator=(const PageCopies&) = delete;

  /// Makes room for so many bytes; there is no copy yet. False where that would be more than half of `free`,
  /// the bytes that this process may have, or the system refuses.
  [[nodiscard]] bool begin(std::uint64_t bytes, std::uint64_t free);
  /// Copies these pages; returns the copy, one run behind the other, which lasts until end().
  const std::byte* add(std::span<const Run> runs);
  /// The copies are needed no more. The system may take the pages back, and where it does not, the next ones
  /// cost it none: new ones cost more than the copy.
  void end();

 private:
  std::byte* room_ = nullptr;
  std::size_t bytes_ = 0, used_ = 0;
};

}  // namespace skein::checkpoint
