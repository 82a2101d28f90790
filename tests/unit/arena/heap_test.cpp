// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena/heap.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/arena/child.hpp"
#include "tests/unit/arena/memory.hpp"

using skein::arena::Heap;
using skein::test::Memory;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

std::byte* bytes_of(void* p) { return static_cast<std::byte*>(p); }

/// Records what the heap should hold: each live block with the byte that fills it.
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

  /// Returns true if the first `bytes` of the block at `p` still hold the byte `fill`.
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

/// Returns a random size, mostly small, sometimes up to `most`; each power of two is about as likely as the
/// next.
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
  // All blocks are merged: one block can take everything except a header and the rounding at the end.
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

TEST_CASE("heap: a block grows in place at the top and into a free neighbour, else it is copied") {
  Memory memory(16 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  void* block = heap.allocate(1000);
  CHECK(heap.reallocate(block, 500'000) == block);
  void* neighbour = heap.allocate(400'000);
  void* last = heap.allocate(100);
  REQUIRE(last != nullptr);
  heap.release(neighbour);
  CHECK(heap.reallocate(block, 800'000) == block);
  CHECK(heap.usable_bytes(block) >= 800'000);
  std::memset(block, 7, 800'000);
  void* moved = heap.reallocate(block, 2'000'000);
  CHECK(moved != block);
  CHECK(Shadow::intact(bytes_of(moved), 800'000, 7));
  // Shrinking gives the rest of the block back at once.
  const std::size_t in_use = heap.bytes_in_use();
  CHECK(heap.reallocate(moved, 1'000'000) == moved);
  CHECK(heap.bytes_in_use() <= in_use - 999'000);
  CHECK(Shadow::intact(bytes_of(moved), 800'000, 7));
}

TEST_CASE("heap: many small blocks that come and go together are not merged in between") {
  Memory memory(64 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  constexpr std::size_t count = 2000;  // a megabyte in all; 7 has no common divisor with it
  std::vector<void*> blocks(count), freed(count);
  for (int round = 0; round < 10; ++round) {
    for (void*& block : blocks) block = heap.allocate(500);
    // The block that was freed last comes first, unless it has been merged with others.
    if (round >= 3) CHECK(std::equal(blocks.begin(), blocks.end(), freed.rbegin()));
    for (std::size_t i = 0; i < count; ++i) heap.release(freed[i] = blocks[i * 7 % count]);
  }
}

TEST_CASE("heap: of very many small blocks that are freed, most serve requests of other sizes") {
  Memory memory(64 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  std::vector<void*> blocks(20'000);
  for (void*& block : blocks) block = heap.allocate(500);
  for (void* const block : blocks) heap.release(block);
  const std::byte* const top = heap.top();
  for (int i = 0; i < 450; ++i) CHECK(heap.allocate(16'000) != nullptr);  // 7 MB of 10
  CHECK(heap.top() <= top);
}

TEST_CASE("heap: sizes at the edges of all classes") {
  Memory memory(64 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  std::vector<std::size_t> sizes{0, 1};
  for (std::size_t power = 32; power <= 4 * mib; power *= 2)
    for (std::size_t eighth = 0; eighth < 8; ++eighth)
      for (std::size_t around = 0; around < 48; around += 8)
        sizes.push_back(power + power / 8 * eighth + around - 24);
  for (int round = 0; round < 3; ++round)
    for (std::size_t bytes : sizes) {
      auto* block = static_cast<unsigned char*>(heap.allocate(bytes));
      auto* other = static_cast<unsigned char*>(heap.allocate(bytes));
      REQUIRE((block && other));
      CHECK(heap.usable_bytes(block) >= bytes);
      const bool apart = block + bytes <= other || other + bytes <= block;
      CHECK(apart);
      std::memset(block, 1, bytes);
      std::memset(other, 2, bytes);
      heap.release(block);
      heap.release(other);
    }
  CHECK(heap.bytes_in_use() == 0);
}

TEST_CASE("heap: a full slot gives null, leaves blocks as they are, and serves again what is freed") {
  Memory memory(1 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  std::vector<void*> blocks;
  while (void* block = heap.allocate(5000)) blocks.push_back(block);
  CHECK(blocks.size() == 1 * mib / 5136);  // 5120, the next eighth of a doubling, and 16
  std::memset(blocks[0], 9, 5000);
  CHECK(heap.reallocate(blocks[0], 50'000) == nullptr);
  CHECK(Shadow::intact(bytes_of(blocks[0]), 5000, 9));
  CHECK(heap.allocate_zeroed(50'000) == nullptr);
  CHECK(heap.allocate_aligned(4096, 50'000) == nullptr);
  // Ten small neighbours, once freed, make one large block.
  for (int i = 20; i < 31; ++i) heap.release(blocks[i]);
  CHECK(heap.allocate(50'000) == blocks[20]);
}

TEST_CASE("heap: the one free block that fits is found behind others of its bin") {
  Memory memory(2 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  void* fits = heap.allocate(73'000);  // in the bin of 64 KiB to 72 KiB with the others
  std::vector<void*> others;
  REQUIRE(heap.allocate(9000) != nullptr);  // keeps the block before it from merging
  for (int i = 0; i < 20; ++i) {
    others.push_back(heap.allocate(70'000));
    REQUIRE(heap.allocate(9000) != nullptr);
  }
  while (heap.allocate(9000) != nullptr) continue;
  heap.release(fits);
  for (void* other : others) heap.release(other);
  CHECK(heap.allocate(73'500) == nullptr);
  CHECK(heap.allocate(73'000) == fits);
}

TEST_CASE("heap: impossible requests give null") {
  Memory memory(1 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  void* block = heap.allocate(10);
  for (std::size_t bytes : {SIZE_MAX, SIZE_MAX - 7, SIZE_MAX - 31, SIZE_MAX / 2, SIZE_MAX / 2 + 1}) {
    CHECK(heap.allocate(bytes) == nullptr);
    CHECK(heap.allocate_zeroed(bytes) == nullptr);
    CHECK(heap.allocate_aligned(64, bytes) == nullptr);
    CHECK(heap.reallocate(block, bytes) == nullptr);
  }
  CHECK(heap.allocate_aligned(std::size_t{1} << 62, 10) == nullptr);
  CHECK(heap.allocate_aligned(std::size_t{1} << 63, 10) == nullptr);
}

TEST_CASE("heap: a wrong free ends the process and says what was wrong") {
  const auto end_of = [](auto&& crime) {
    return skein::test::run_in_child([&crime] {
      Memory memory(16 * mib);
      Heap heap;
      heap.initialise(memory.begin(), memory.end());
      void* before = heap.allocate(100'000);
      void* block = heap.allocate(50);
      void* large = heap.allocate(200'000);
      void* last = heap.allocate(100);
      if (!before || !last) _exit(2);
      crime(heap, before, block, large);
    });
  };
  const auto check = [&](const char* why, auto&& crime) {
    const auto end = end_of(crime);
    INFO(end.errors);
    CHECK(end.signal == SIGABRT);
    CHECK(end.errors.find(why) != std::string::npos);
  };
  check("freed before", [](Heap& heap, void*, void* block, void*) {
    heap.release(block);
    heap.release(block);
  });
  check("freed before", [](Heap& heap, void*, void*, void* large) {
    heap.release(large);
    heap.release(large);
  });
  check("it was", [](Heap& heap, void* before, void* block, void* large) {
    heap.release(before);  // the last two are merged into this one, and their pages given back
    heap.release(large);
    heap.release(block);
    heap.trim();
    heap.release(block);
  });
  check("freed before", [](Heap& heap, void*, void* block, void*) {
    heap.release(block);
    (void)heap.reallocate(block, 100);
  });
  check("never allocated",
        [](Heap& heap, void* before, void*, void*) { heap.release(bytes_of(before) + 4096); });
  check("no block", [](Heap& heap, void* before, void*, void*) { heap.release(bytes_of(before) + 8); });
  check("no block", [](Heap& heap, void*, void*, void*) { heap.release(heap.end() - 16); });
  check("no block", [](Heap& heap, void*, void*, void*) { heap.release(&heap); });
  check("overwritten", [](Heap& heap, void*, void* block, void* large) {
    std::memset(block, 0, heap.usable_bytes(block) + 8);
    heap.release(large);
  });
}

namespace {

/// Returns true if this process has asked for huge pages at `address`, according to /proc/self/smaps.
bool asks_for_huge_pages(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) inside = begin <= wanted && wanted < end;
    if (inside && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return false;
}

}  // namespace

TEST_CASE("heap: one that has grown large asks for huge pages, and again after it has come to a process") {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
    return;  // the kernel offers no huge pages
  skein::arena::reserved.huge_pages_from = 8 * mib;
  Memory memory(64 * mib);
  Heap heap;
  heap.initialise(memory.begin(), memory.end());
  skein::arena::reserved.huge_pages_from = 0;
  std::byte* const small = bytes_of(heap.allocate(6 * mib));
  CHECK_FALSE(asks_for_huge_pages(small + 3 * mib));
  std::byte* const large = bytes_of(heap.allocate(20 * mib));
  for (const std::byte* each : {small + 3 * mib, large, large + 18 * mib}) CHECK(asks_for_huge_pages(each));
  CHECK_FALSE(asks_for_huge_pages(memory.begin() + 48 * mib));
  REQUIRE(madvise(memory.begin(), 64 * mib, MADV_NOHUGEPAGE) == 0);  // as in fresh memory
  heap.ask_again_for_huge_pages();
  CHECK(asks_for_huge_pages(large));

  Memory other(64 * mib);
  heap.initialise(other.begin(), other.end());
  CHECK_FALSE(asks_for_huge_pages(heap.allocate(40 * mib)));
  heap.ask_again_for_huge_pages();
  CHECK_FALSE(asks_for_huge_pages(other.begin() + 20 * mib));
}
