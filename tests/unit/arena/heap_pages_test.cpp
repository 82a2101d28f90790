// SPDX-License-Identifier: Apache-2.0
// Which pages a slot heap touches, and when it gives them back.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cstring>

#include "runtime/arena/heap.hpp"
#include "tests/unit/arena/child.hpp"
#include "tests/unit/arena/memory.hpp"

using namespace skein::arena;
using skein::test::Memory;
using skein::test::run_in_child;

namespace {

constexpr std::size_t kib = std::size_t{1} << 10;
constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t gib = std::size_t{1} << 30;

struct HeapOn {
  explicit HeapOn(std::size_t bytes) : memory(bytes) { heap.initialise(memory.begin(), memory.end()); }
  std::size_t touched_bytes() const {
    std::vector<Range> ranges;
    touched_ranges(memory.begin(), memory.end(), ranges);
    std::size_t bytes = 0;
    for (const Range& range : ranges) bytes += range.bytes;
    return bytes;
  }
  void* filled(std::size_t bytes) {
    void* block = heap.allocate(bytes);
    REQUIRE(block != nullptr);
    std::memset(block, 0xa5, bytes);
    return block;
  }
  Memory memory;
  Heap heap;
};

long faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

}  // namespace

TEST_CASE("heap: what is not used is not touched") {
  HeapOn on(64 * mib);
  CHECK(on.touched_bytes() == 0);
  void* small = on.heap.allocate(100);
  REQUIRE(small != nullptr);
  CHECK(on.touched_bytes() == kPageBytes);
  REQUIRE(on.heap.allocate(32 * mib) != nullptr);
  CHECK(on.touched_bytes() == kPageBytes);
  // Fresh memory is zero already.
  REQUIRE(on.heap.allocate_zeroed(16 * mib) != nullptr);
  CHECK(on.touched_bytes() <= 2 * kPageBytes);
}

TEST_CASE("arena: bytes that hold data, of pages written here and there") {
  const Memory memory(8 * mib);
  const Range range{memory.begin(), 8 * mib};
  CHECK(resident_bytes(range) == 0);
  for (const std::size_t page : {0, 511, 512, 513, 2047}) memory.begin()[page * kPageBytes] = std::byte{1};
  CHECK(resident_bytes(range) == 5 * kPageBytes);
  CHECK(resident_bytes({memory.begin() + 512 * kPageBytes, 2 * kPageBytes}) == 2 * kPageBytes);
  discard({memory.begin(), kPageBytes});
  CHECK(resident_bytes(range) == 4 * kPageBytes);
}

TEST_CASE("heap: pages of large freed blocks go back to the system") {
  HeapOn on(64 * mib);
  void* low = on.filled(8 * mib);
  void* keep = on.filled(100);
  void* high = on.filled(8 * mib);
  CHECK(on.touched_bytes() >= 16 * mib);
  on.heap.release(low);  // between blocks
  CHECK(on.touched_bytes() <= 8 * mib + 4 * kPageBytes);
  on.heap.release(high);  // next to the wilderness
  CHECK(on.touched_bytes() <= 4 * kPageBytes);
  CHECK(on.heap.usable_bytes(keep) >= 100);
}

TEST_CASE("heap: zeroed memory is zero where pages went back, where they stayed, and at the seams") {
  HeapOn on(64 * mib);
  for (std::size_t bytes : {64 * kib + 1, 200 * kib, 3 * mib, 9 * mib}) {
    CAPTURE(bytes);
    void* low = on.filled(bytes);
    void* between = on.filled(100);
    void* high = on.filled(bytes);
    on.heap.release(low);
    on.heap.release(high);
    for (std::size_t part : {bytes / 3, bytes / 2, bytes, 2 * bytes}) {
      auto* zeroed = static_cast<const unsigned char*>(on.heap.allocate_zeroed(part));
      REQUIRE(zeroed != nullptr);
      std::size_t others = 0;
      for (std::size_t i = 0; i < part; ++i) others += zeroed[i] != 0;
      CHECK(others == 0);
      std::memset(const_cast<unsigned char*>(zeroed), 0xa5, part);
      on.heap.release(const_cast<unsigned char*>(zeroed));
    }
    on.heap.release(between);
  }
  CHECK(on.heap.bytes_in_use() == 0);
}

TEST_CASE("heap: a loop that allocates and frees one buffer faults it in twice at most") {
  HeapOn on(64 * mib);
  constexpr std::size_t bytes = 8 * mib;
  for (int warm = 0; warm < 2; ++warm) on.heap.release(on.filled(bytes));
  const long before = faults();
  for (int i = 0; i < 10; ++i) on.heap.release(on.filled(bytes));
  CHECK(faults() - before < 100);  // one round that gives the pages back costs 2048
}

TEST_CASE("heap: a loop that allocates and frees many buffers together soon faults none in") {
  HeapOn on(64 * mib);
  constexpr std::size_t sizes[] = {2 * mib, 700 * kib, 3 * mib, 1 * mib,
                                   2 * mib, 700 * kib, 3 * mib, 1 * mib};
  const auto round = [&] {
    std::vector<void*> buffers;
    for (std::size_t bytes : sizes) buffers.push_back(on.filled(bytes));
    for (void* buffer : buffers) on.heap.release(buffer);
  };
  for (int warm = 0; warm < 10; ++warm) round();
  const long before = faults();
  for (int i = 0; i < 10; ++i) round();
  // 13.4 MiB are 3430 pages. If the heap kept only twice the largest buffer, 6 MiB, it would give back some
  // of them in every round.
  CHECK(faults() - before < 100);
}

TEST_CASE("heap: a buffer of 1 MiB between other blocks stays touched") {
  HeapOn on(64 * mib);
  void* buffer = on.filled(1 * mib - 100);
  (void)on.filled(100);
  on.heap.release(buffer);
  const long before = faults();
  for (int i = 0; i < 10; ++i) on.heap.release(on.filled(1 * mib - 100));
  CHECK(faults() - before < 100);
}

TEST_CASE("heap: trim leaves no touched page in freed pieces of 64 KiB and more") {
  HeapOn on(64 * mib);
  std::vector<void*> blocks;
  for (int i = 0; i < 4000; ++i) blocks.push_back(on.filled(100));  // 112 bytes each: 437 KiB
  void* keep = on.filled(100);
  void* buffer = on.filled(300 * kib);
  void* last = on.filled(100);
  for (void* block : blocks) on.heap.release(block);
  on.heap.release(buffer);
  CHECK(on.touched_bytes() > 700 * kib);
  on.heap.trim();
  CHECK(on.touched_bytes() <= 5 * kPageBytes);
  CHECK(on.heap.bytes_in_use() == 2 * 112);
  on.heap.release(last);
  on.heap.release(keep);
  on.heap.trim();
  CHECK(on.heap.bytes_in_use() == 0);
  CHECK(on.heap.top() <= on.heap.begin() + kPageBytes);
}

TEST_CASE("heap: slots of 64 GiB serve blocks of many gigabytes, again after they were freed") {
  HeapOn on(64 * gib);
  void* five = on.heap.allocate(5 * gib);
  REQUIRE(on.heap.allocate(16) != nullptr);
  void* four = on.heap.allocate(4 * gib);
  REQUIRE(on.heap.allocate(16) != nullptr);
  on.heap.release(five);
  on.heap.release(four);  // it is in the same bin, and first there
  CHECK(on.heap.allocate(9 * gib / 2) == five);
  CHECK(on.heap.allocate(4 * gib - 1000) == four);
  CHECK(on.heap.allocate(60 * gib) == nullptr);
  CHECK(on.heap.allocate(54 * gib) != nullptr);
  CHECK(on.touched_bytes() <= 12 * kPageBytes);
}

TEST_CASE("heap: goes on in another process from nothing but the touched pages") {
  CHECK_CHILD_PASSED(run_in_child([] {
    reserve(make_layout(16 * mib, 65536, 8192, 4096), 1, Backing::private_pages, -1);
    std::byte* begin = slot_address(0) + reserved.layout.heap_offset;
    std::byte* end = slot_address(0) + reserved.layout.slot_bytes;
    auto* heap = new (control_address(0)) Heap;
    heap->initialise(begin, end);
    std::vector<unsigned char*> live;
    unsigned value = 1;
    for (int i = 0; i < 3000; ++i) {
      const std::size_t bytes = 1 + (value = value * 1664525 + 1013904223) % (i % 50 ? 600 : 100'000);
      auto* block = static_cast<unsigned char*>(heap->allocate(bytes + 8));
      CHILD_CHECK(block != nullptr);
      std::memcpy(block, &bytes, 8);
      std::memset(block + 8, i % 256, bytes);
      live.push_back(block);
      if (i % 3 == 0) {
        std::swap(live[value % live.size()], live.back());
        heap->release(live.back());
        live.pop_back();
      }
    }
    const std::size_t in_use = heap->bytes_in_use();
    heap->trim();

    // Do as a move does: copy the touched pages out, forget the slot, put the pages back.
    std::vector<Range> ranges;
    touched_ranges(slot_address(0), heap->top(), ranges);
    std::vector<std::vector<std::byte>> pages;
    for (const Range& range : ranges) pages.emplace_back(range.begin, range.begin + range.bytes);
    discard({stack_address(0), reserved.layout.slot_bytes - reserved.layout.guard_bytes});
    for (std::size_t offset = 0; offset < reserved.layout.slot_bytes; offset += 512)
      CHILD_CHECK(slot_address(0)[offset] == std::byte{0});
    discard({stack_address(0), reserved.layout.slot_bytes - reserved.layout.guard_bytes});
    for (std::size_t i = 0; i < ranges.size(); ++i)
      std::memcpy(ranges[i].begin, pages[i].data(), pages[i].size());

    CHILD_CHECK(heap->bytes_in_use() == in_use);
    for (unsigned char* block : live) {
      std::size_t bytes;
      std::memcpy(&bytes, block, 8);
      for (std::size_t i = 9; i < bytes + 8; ++i) CHILD_CHECK(block[i] == block[8]);
      CHILD_CHECK(heap->usable_bytes(block) >= bytes + 8);
      void* other = heap->allocate(bytes);
      CHILD_CHECK(other != nullptr);
      heap->release(block);
      heap->release(other);
    }
    CHILD_CHECK(heap->bytes_in_use() == 0);
    CHILD_CHECK(heap->allocate(static_cast<std::size_t>(end - begin) - 32) != nullptr);
  }));
}
