// SPDX-License-Identifier: Apache-2.0
// The cost of a block of a slot heap beside the C library's: nanoseconds for a malloc and free pair, with one
// block at a time and with a few hundred alive, and first touch of large blocks with and without huge pages.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "runtime/arena/heap.hpp"

namespace {

using skein::arena::Heap;

constexpr std::size_t slot_bytes = std::size_t{1} << 30;

struct SlotHeap {
  Heap heap;
  std::byte* memory;
  SlotHeap() {
    memory = static_cast<std::byte*>(mmap(nullptr, slot_bytes, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) std::abort();
    heap.initialise(memory, memory + slot_bytes);
  }
  ~SlotHeap() { munmap(memory, slot_bytes); }
  SlotHeap(const SlotHeap&) = delete;
  SlotHeap& operator=(const SlotHeap&) = delete;

  void* get(std::size_t bytes) { return heap.allocate(bytes); }
  void put(void* p) { heap.release(p); }
};

struct CLibrary {
  void* get(std::size_t bytes) { return std::malloc(bytes); }
  void put(void* p) { std::free(p); }
};

/// Makes the compiler believe that the block is used.
void use(void* p) { asm volatile("" : : "r"(p) : "memory"); }

template <class Work>
double best_ns(int rounds, double per_round, Work&& work) {
  double best = 1e300;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / per_round);
  }
  return best;
}

template <class Allocator>
double pair_ns(Allocator& from, std::size_t bytes) {
  constexpr int pairs = 200'000;
  return best_ns(7, pairs, [&] {
    for (int i = 0; i < pairs; ++i) {
      void* p = from.get(bytes);
      use(p);
      from.put(p);
    }
  });
}

/// Replaces random blocks of 512 live ones of sizes up to `most`.
template <class Allocator>
double churn_ns(Allocator& from, std::size_t most) {
  constexpr int replacements = 200'000;
  std::mt19937 random(1);
  std::vector<std::pair<unsigned, unsigned>> plan(replacements);
  for (auto& [index, bytes] : plan)
    index = random() % 512, bytes = 1 + random() % static_cast<unsigned>(most);
  std::vector<void*> live(512);
  for (auto& p : live) p = from.get(most);
  const double ns = best_ns(7, replacements, [&] {
    for (auto [index, bytes] : plan) {
      from.put(live[index]);
      live[index] = from.get(bytes);
      use(live[index]);
    }
  });
  for (auto& p : live) from.put(p);
  return ns;
}

double first_touch_gb_per_s(bool huge) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  return 1 / best_ns(3, static_cast<double>(bytes), [&] {
           SlotHeap slot;
           if (huge) madvise(slot.memory, slot_bytes, MADV_HUGEPAGE);
           void* p = slot.get(bytes);
           std::memset(p, 1, bytes);
           use(p);
         });
}

}  // namespace

int main() {
  SlotHeap slot;
  CLibrary c_library;
  std::printf("%-44s %10s %10s\n", "ns for a malloc and free pair", "slot heap", "C library");
  for (std::size_t bytes = 16; bytes <= 4096; bytes *= 2)
    std::printf("%7zu B, one block %26s %10.1f %10.1f\n", bytes, "", pair_ns(slot, bytes),
                pair_ns(c_library, bytes));
  for (std::size_t bytes : {std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{16} << 20})
    std::printf("%7zu KiB, one block %24s %10.1f %10.1f\n", bytes >> 10, "", pair_ns(slot, bytes),
                pair_ns(c_library, bytes));
  for (std::size_t most : {64, 1024, 8192, 65536})
    std::printf("up to %zu B, 512 blocks live %*s %10.1f %10.1f\n", most,
                most < 100     ? 19
                : most < 10000 ? 17
                               : 16,
                "", churn_ns(slot, most), churn_ns(c_library, most));
  std::printf("\nfirst touch of 256 MiB in a slot heap: %.1f GB/s, with huge pages %.1f GB/s\n",
              first_touch_gb_per_s(false), first_touch_gb_per_s(true));
}
