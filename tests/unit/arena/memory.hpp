// SPDX-License-Identifier: Apache-2.0
// Anonymous memory for a heap under test.
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstddef>

namespace skein::test {

class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {
    void* p =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(p != MAP_FAILED);
    begin_ = static_cast<std::byte*>(p);
  }
  ~Memory() { munmap(begin_, bytes_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::byte* begin() const { return begin_; }
  std::byte* end() const { return begin_ + bytes_; }

 private:
  std::byte* begin_;
  std::size_t bytes_;
};

}  // namespace skein::test
