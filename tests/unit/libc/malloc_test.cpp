// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/malloc.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/rank/rank.hpp"
#include "tests/unit/arena/child.hpp"

using skein::Rank;
using skein::arena::in_arena;
using skein::arena::slot_of;
using skein::test::run_in_child;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// Sets up rank `id`, one of two in slots of 16 MiB.
Rank& set_up_rank(int id) {
  using namespace skein::arena;
  if (reserved.slot_count == 0)
    reserve(make_layout(16 * mib, 65536, sizeof(Rank) + kColourRoom, 4096), 2, Backing::private_pages, -1);
  const auto slot = static_cast<std::size_t>(id);
  auto* rank = new (control_address(slot)) Rank;
  rank->id = id;
  rank->heap.initialise(heap_address(slot), slot_address(slot + 1));
  return *rank;
}

/// Lets the thread count as the rank's own code while the object lives.
struct AsRank {
  explicit AsRank(Rank& rank) { skein::fiber::thread_block.heap = &rank.heap; }
  ~AsRank() { skein::fiber::thread_block.heap = nullptr; }
  AsRank(const AsRank&) = delete;
  AsRank& operator=(const AsRank&) = delete;
};

bool aligned(const void* p, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(p) % alignment == 0;
}

/// Returns the function to which a program's reference to `name` is bound.
template <class Function>
Function* rank_function(std::string_view name, Function*) {
  for (const skein::libc::Override& entry : skein::libc::malloc_overrides())
    if (name == entry.name) return reinterpret_cast<Function*>(entry.address);
  SKEIN_CHECK(false, "there is no override of %s", name.data());
  return nullptr;
}
#define RANK(function) rank_function(#function, &::function)

}  // namespace

TEST_CASE("malloc: every member of the family takes from the slot of the rank that runs") {
  CHECK_CHILD_PASSED(run_in_child([] {
    void* outside = std::malloc(100);
    CHILD_CHECK(outside != nullptr && !in_arena(outside));
    Rank& rank = set_up_rank(1);
    const AsRank scope(rank);
    void* posix = nullptr;
    CHILD_CHECK(posix_memalign(&posix, 4096, 100) == 0 && aligned(posix, 4096));
    void* blocks[] = {std::malloc(100),
                      std::calloc(10, 10),
                      std::realloc(nullptr, 100),
                      reallocarray(nullptr, 10, 10),
                      memalign(256, 100),
                      aligned_alloc(1024, 2048),
                      valloc(100),
                      pvalloc(100),
                      posix,
                      new char[100],
                      strdup("a string")};
    for (void* block : blocks) {
      CHILD_CHECK(in_arena(block));
      CHILD_CHECK(slot_of(block) == 1);
    }
    CHILD_CHECK(aligned(blocks[4], 256) && aligned(blocks[5], 1024) && aligned(blocks[6], 4096));
    CHILD_CHECK(aligned(blocks[7], 4096) && malloc_usable_size(blocks[7]) >= 4096);
    CHILD_CHECK(malloc_usable_size(blocks[0]) >= 100 && malloc_usable_size(outside) >= 100);
    CHILD_CHECK(malloc_usable_size(nullptr) == 0);
    for (void* block : blocks) std::free(block);
    std::free(nullptr);
    std::free(outside);
    CHILD_CHECK(rank.heap.bytes_in_use() == 0);
  }));
}

TEST_CASE("malloc: a block is freed and grown where it lies, whoever runs") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& first = set_up_rank(0);
    Rank& second = set_up_rank(1);
    auto* outside = static_cast<char*>(std::malloc(10));
    char* inside = nullptr;
    {
      const AsRank scope(first);
      inside = static_cast<char*>(std::malloc(10));
      std::strcpy(inside, "inside");
      std::strcpy(outside, "outside");
      outside = static_cast<char*>(std::realloc(outside, 100'000));
      CHILD_CHECK(!in_arena(outside) && std::strcmp(outside, "outside") == 0);
    }
    {
      const AsRank scope(second);
      inside = static_cast<char*>(std::realloc(inside, 100'000));
      CHILD_CHECK(slot_of(inside) == 0 && std::strcmp(inside, "inside") == 0);
      CHILD_CHECK(second.heap.bytes_in_use() == 0);
    }
    inside = static_cast<char*>(std::realloc(inside, 200'000));
    CHILD_CHECK(slot_of(inside) == 0 && std::strcmp(inside, "inside") == 0);
    CHILD_CHECK(std::realloc(inside, 0) == nullptr);
    CHILD_CHECK(first.heap.bytes_in_use() == 0);
    std::free(outside);
  }));
}

TEST_CASE("malloc: what the dynamic linker keeps stays out of the slot") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = set_up_rank(0);
    const AsRank scope(rank);
    void* library = dlopen("libutil.so.1", RTLD_NOW | RTLD_LOCAL);
    CHILD_CHECK(library != nullptr);
    CHILD_CHECK(dlclose(library) == 0);
    CHILD_CHECK(rank.heap.top() == rank.heap.begin());  // nothing was ever taken
  }));
}

TEST_CASE("malloc: a full slot gives null, and what was there stays") {
  const auto end = run_in_child([] {
    Rank& rank = set_up_rank(0);
    const AsRank scope(rank);
    volatile std::size_t too_much = skein::arena::reserved.layout.slot_bytes;
    auto* kept = static_cast<char*>(std::malloc(100));
    kept[0] = 'k';
    const auto fails = [](auto&& call) {
      errno = 0;
      return call() == nullptr && errno == ENOMEM;
    };
    CHILD_CHECK(fails([&] { return std::malloc(too_much); }));
    CHILD_CHECK(fails([&] { return std::calloc(too_much, 1); }));
    CHILD_CHECK(fails([&] { return memalign(64, too_much); }));
    CHILD_CHECK(fails([&] { return std::realloc(kept, too_much); }) && kept[0] == 'k');
    void* aligned = nullptr;
    CHILD_CHECK(posix_memalign(&aligned, 64, too_much) == ENOMEM);
    bool thrown = false;
    try {
      std::vector<char> vector(too_much);
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    CHILD_CHECK(thrown && std::malloc(100) != nullptr);
  });
  CHECK_CHILD_PASSED(end);
  const auto first = end.errors.find("rank 0: its slot is full");
  CHECK(first != std::string::npos);
  CHECK(end.errors.find("--slot-size") != std::string::npos);
  CHECK(end.errors.find("its slot is full", first + 10) == std::string::npos);  // printed only once
}

TEST_CASE("malloc: what tells of the heap tells of the rank's") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = set_up_rank(0);
    const AsRank scope(rank);
    constexpr std::size_t bytes = 1 << 20;
    const std::size_t before = RANK(mallinfo2)().uordblks;
    char* block = static_cast<char*>(std::malloc(bytes));
    memset(block, 1, bytes);
    const struct mallinfo2 info = RANK(mallinfo2)();
    CHILD_CHECK(info.uordblks >= before + bytes && info.uordblks < before + bytes + 4096);
    CHILD_CHECK(info.arena == info.uordblks + info.fordblks && info.uordblks == rank.heap.bytes_in_use());
    CHILD_CHECK(RANK(mallopt)(M_MMAP_THRESHOLD, 1) == 1);
    std::free(block);
    CHILD_CHECK(RANK(mallinfo2)().uordblks <= before + 4096 && RANK(malloc_trim)(0) == 1);
    unsigned char resident[bytes / 4096] = {};
    auto* page =
        reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(block) + 8191) & ~std::uintptr_t{4095});
    CHILD_CHECK(mincore(page, bytes - 16384, resident) == 0);
    for (std::size_t i = 0; i < (bytes - 16384) / 4096; ++i) CHILD_CHECK((resident[i] & 1) == 0);
  }));
}

TEST_CASE("malloc: requests that no system could meet fail as the C library's do") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = set_up_rank(0);
    const AsRank scope(rank);
    volatile std::size_t most = SIZE_MAX;  // the compiler's own check cannot see the value
    const auto fails = [](auto&& call) {
      errno = 0;
      return call() == nullptr && errno == ENOMEM;
    };
    CHILD_CHECK(fails([&] { return std::malloc(most); }));
    CHILD_CHECK(fails([&] { return std::malloc(most / 4 + 1); }));
    CHILD_CHECK(fails([&] { return std::calloc(most, 2); }));
    CHILD_CHECK(fails([&] { return std::calloc(most / 4, 3); }));
    CHILD_CHECK(fails([&] { return std::realloc(nullptr, most); }));
    CHILD_CHECK(fails([&] { return reallocarray(nullptr, most, 16); }));
    CHILD_CHECK(fails([&] { return memalign(64, most); }));
    CHILD_CHECK(fails([&] { return pvalloc(most); }));
    void* kept = &rank;
    errno = 0;
    CHILD_CHECK(posix_memalign(&kept, 64, most) == ENOMEM);
    CHILD_CHECK(posix_memalign(&kept, 24, 100) == EINVAL);
    CHILD_CHECK(posix_memalign(&kept, 4, 100) == EINVAL);
    CHILD_CHECK(kept == &rank && errno == 0);
  }));
}

TEST_CASE("malloc: what the runtime needs in a full slot ends the job, naming rank and option") {
  const auto end = run_in_child([] {
    Rank& rank = set_up_rank(1);
    for (int i = 0; i < 100; ++i) std::memset(rank.memory.allocate(1 * mib), 1, 1 * mib);
  });
  INFO(end.errors);
  CHECK(end.exit_status > 0);
  CHECK(end.errors.find("rank 1") != std::string::npos);
  CHECK(end.errors.find("--slot-size") != std::string::npos);
}

TEST_CASE("malloc: the table for the loader holds the launcher's own functions, not the C library's") {
  std::set<std::string> names;
  for (const auto& entry : skein::libc::malloc_overrides()) {
    CAPTURE(entry.name);
    Dl_info place{};
    REQUIRE(dladdr(entry.address, &place) != 0);
    Dl_info launcher{};
    REQUIRE(dladdr(reinterpret_cast<void*>(&skein::libc::malloc_overrides), &launcher) != 0);
    CHECK(place.dli_fbase == launcher.dli_fbase);
    names.insert(entry.name);
  }
  CHECK(names == std::set<std::string>{"aligned_alloc", "calloc", "free", "mallinfo", "mallinfo2", "malloc",
                                       "malloc_info", "malloc_stats", "malloc_trim", "malloc_usable_size",
                                       "mallopt", "memalign", "posix_memalign", "pvalloc", "realloc",
                                       "reallocarray", "valloc"});
}
