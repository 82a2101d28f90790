// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena/heap.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstring>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "tests/unit/arena/memory.hpp"

using skein::arena::Heap;
using skein::test::Memory;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

std::byte* bytes_of(void* p) { return static_cast<std::byte*>(p); }

/// What the heap should hold: every live block with the byte that fills it.
class Shadow {
 public:
  explicit Shadow(Heap& heap) : heap_(heap) {}

  void add(void* block, std::size_t bytes, std::size_t alignment) {
    REQUIRE(block != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
    CHECK(heap_.usable_bytes(block) >= bytes);
    CHECK(bytes_of(block) >= heap_.begin());
    CHECK(bytes_of(block) + bytes <= heap_.end());
    auto above = blocks_.lower_bound(bytes_of(block));
    if (above != blocks_.end()) CHECK(bytes_of(block) + bytes <= above->first);
    if (above != blocks_.begin()) {
      auto below = std::prev(above);
      CHECK(below->first + below->second.bytes <= bytes_of(block));
    }
    const auto fill = static_cast<unsigned char>(++fills_);
    std::memset(block, fill, bytes);
    blocks_[bytes_of(block)] = {bytes, fill};
    live_bytes_ += bytes;
  }

  /// Checks that the first `bytes` of the block at `p` still hold what `held` was filled with.
  static bool intact(const std::byte* p, std::size_t bytes, unsigned char fill) {
    for (std::size_t i = 0; i < bytes; ++i)
      if (p[i] != std::byte{fill}) return false;
    return true;
  }

  std::pair<std::byte*, std::size_t> any(std::mt19937& random) const {
    auto it = blocks_.lower_bound(heap_.begin() +
                                  random() % static_cast<unsigned long>(heap_.top() - heap_.begin() + 1));
    if (it == blocks_.end()) it = blocks_.begin();
    return {it->first, it->second.bytes};
  }

  unsigned char remove(std::byte* block) {
    const auto it = blocks_.find(block);
    const Content content = it->second;
    blocks_.erase(it);
    live_bytes_ -= content.bytes;
    return content.fill;
  }

  bool empty() const { return blocks_.empty(); }
  std::size_t live_bytes() const { return live_bytes_; }
  std::size_t blocks() const { return blocks_.size(); }

 private:
  struct Content {
    std::size_t bytes;
    unsigned char fill;
  };
  Heap& heap_;
  std::map<std::byte*, Content> blocks_;
  std::size_t live_bytes_ = 0;
  unsigned fills_ = 0;
};

/// Mostly small, sometimes up to `most`, each power of two about as often as the next.
std::size_t random_bytes(std::mt19937& random, std::size_t most) {
  const unsigned bits = random() % 4 ? 4 + random() % 7 : random() % 24;
  return std::min<std::size_t>(random() % (2u << bits), most);
}

void random_operations(unsigned seed, std::size_t heap_bytes, int operations) {
  Memory memory(heap_bytes);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  Shadow shadow(heap);
  std::mt19937 random(seed);
  const std::size_t most = heap_bytes / 32;
  for (int i = 0; i < operations; ++i) {
    const unsigned what = random() % 16;
    const std::size_t bytes = random_bytes(random, most);
    const bool room = shadow.live_bytes() < heap_bytes / 3;
    if (shadow.empty() || (room && what < 6)) {
      shadow.add(heap.allocate(bytes), bytes, 16);
    } else if (room && what < 7) {
      void* block = heap.allocate_zeroed(bytes);
      REQUIRE(block != nullptr);
      CHECK(Shadow::intact(bytes_of(block), bytes, 0));
      shadow.add(block, bytes, 16);
    } else if (room && what < 8) {
      const std::size_t alignment = std::size_t{16} << random() % 9;
      shadow.add(heap.allocate_aligned(alignment, bytes), bytes, alignment);
    } else if (what < 10) {
      const auto [block, old_bytes] = shadow.any(random);
      const unsigned char fill = shadow.remove(block);
      void* moved = heap.reallocate(block, bytes);
      REQUIRE(moved != nullptr);
      CHECK(Shadow::intact(bytes_of(moved), std::min(bytes, old_bytes), fill));
      shadow.add(moved, bytes, 16);
    } else {
      const auto [block, old_bytes] = shadow.any(random);
      const unsigned char fill = shadow.remove(block);
      CHECK(Shadow::intact(block, old_bytes, fill));
      heap.release(block);
    }
    REQUIRE(heap.bytes_in_use() >= shadow.live_bytes() + 8 * shadow.blocks());
  }
  while (!shadow.empty()) {
    const auto [block, bytes] = shadow.any(random);
    CHECK(Shadow::intact(block, bytes, shadow.remove(block)));
    heap.release(block);
  }
  CHECK(heap.bytes_in_use() == 0);
  // Everything merged: the block that takes all but one header and the end's rounding can be had.
  void* all = heap.allocate(heap_bytes - 32);
  CHECK(all != nullptr);
}

}  // namespace

TEST_CASE("heap: random allocations keep their bytes, stay aligned and apart, and merge when freed") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    random_operations(seed, seed % 4 ? 8 * mib : 64 * mib, 20000);
  }
}
