// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory_resource>

namespace skein::vmpi {

/// Counts the bytes that are allocated and not yet given back.
class CountingMemory final : public std::pmr::memory_resource {
 public:
  long blocks() const { return blocks_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++blocks_;
    bytes_ += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    --blocks_;
    bytes_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  long blocks_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace skein::vmpi
