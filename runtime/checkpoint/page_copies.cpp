// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/page_copies.hpp"

#include <sys/mman.h>

#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/check.hpp"

namespace skein::checkpoint {

PageCopies::~PageCopies() {
  if (room_) munmap(room_, bytes_);
}

bool PageCopies::begin(std::uint64_t bytes, std::uint64_t free) {
  used_ = 0;
  if (bytes > free / 2) return false;
  if (bytes <= bytes_) return true;
  const std::size_t wanted = (bytes + arena::kHugePageBytes - 1) & ~(arena::kHugePageBytes - 1);
  void* const room = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  for (const int advice : {MADV_HUGEPAGE, MADV_DONTDUMP, MADV_DONTFORK}) (void)madvise(room, wanted, advice);
  if (room_) munmap(room_, bytes_);
  room_ = static_cast<std::byte*>(room);
  bytes_ = wanted;
  return true;
}

const std::byte* PageCopies::add(std::span<const Run> runs) {
  const std::byte* const copy = room_ + used_;
  for (const Run& run : runs) {
    SKEIN_CHECK(run.bytes <= bytes_ - used_, "copies of more than the %zu bytes there is room for", bytes_);
    memcpy(room_ + used_, reinterpret_cast<const void*>(run.address), run.bytes);
    used_ += run.bytes;
  }
  return copy;
}

void PageCopies::end() {
  if (room_) (void)madvise(room_, bytes_, MADV_FREE);
}

}  // namespace skein::checkpoint
