// SPDX-License-Identifier: Apache-2.0
// Copies of pages in private memory of this process. A thread can write them into files while ranks change
// their pages.
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

  /// Makes room for `bytes` bytes, and drops the copies. Returns false if that is more than half of `free`,
  /// the bytes that this process may have, or if the system refuses.
  [[nodiscard]] bool begin(std::uint64_t bytes, std::uint64_t free);
  /// Copies these pages; returns the copies, run after run, valid until end().
  const std::byte* add(std::span<const Run> runs);
  /// Releases the copies. The system may take the pages back; pages that it leaves cost nothing when they are
  /// used again, while new pages cost more than the copying.
  void end();

 private:
  std::byte* room_ = nullptr;
  std::size_t bytes_ = 0, used_ = 0;
};

}  // namespace skein::checkpoint
