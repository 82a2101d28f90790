// SPDX-License-Identifier: Apache-2.0
// mmap() and its relatives for ranks, compared with mmap(2), munmap(2), mremap(2), mprotect(2) and
// madvise(2).
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

constexpr std::size_t page = 4096;

char* map(std::size_t bytes, int protection = PROT_READ | PROT_WRITE, int flags = 0) {
  return static_cast<char*>(
      RANK(mmap)(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0));
}

bool is_all(const char* begin, std::size_t bytes, char value) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (begin[i] != value) return false;
  return true;
}

}  // namespace

TEST_CASE("mappings: private anonymous memory lies in the slot, on pages, zeroed, and pins nobody") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    const std::size_t before = rank.heap.bytes_in_use();
    for (int round = 0; round < 3; ++round) {
      char* const memory = map(8 * page - 100);
      CHILD_CHECK(arena::in_arena(memory) && reinterpret_cast<std::uintptr_t>(memory) % page == 0);
      CHILD_CHECK(is_all(memory, 8 * page, 0));
      memset(memory, 'x', 8 * page);
      CHILD_CHECK(rank.pinned_because == nullptr);
      CHILD_CHECK(RANK(munmap)(memory, 8 * page) == 0);
    }
    CHILD_CHECK(rank.heap.bytes_in_use() - before < page);  // only the table of mappings stays
  }));
}

TEST_CASE("mappings: what is left of a mapping stays as it is when a part of it goes") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    char* const memory = map(8 * page);
    const std::size_t mapped = rank.heap.bytes_in_use();
    memset(memory, 'x', 8 * page);
    CHILD_CHECK(RANK(munmap)(memory + 2 * page, 2 * page) == 0);
    CHILD_CHECK(RANK(munmap)(memory + 2 * page, 2 * page) == 0);  // nothing there is no error
    CHILD_CHECK(is_all(memory, 2 * page, 'x') && is_all(memory + 4 * page, 4 * page, 'x'));
    CHILD_CHECK(RANK(munmap)(memory, 4 * page) == 0 && is_all(memory + 4 * page, 4 * page, 'x'));
    CHILD_CHECK(rank.heap.bytes_in_use() >= mapped);
    CHILD_CHECK(RANK(munmap)(memory + 4 * page, 4 * page) == 0);
    CHILD_CHECK(rank.heap.bytes_in_use() < mapped - 7 * page);
    CHILD_CHECK(RANK(munmap)(memory + 1, page) == -1 && errno == EINVAL);
  }));
}

TEST_CASE("mappings: growing moves the contents, shrinking leaves them") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    char* memory = map(8 * page);
    memset(memory, 'x', 8 * page);
    CHILD_CHECK(RANK(mremap)(memory, 8 * page, 64 * page, 0) == MAP_FAILED && errno == ENOMEM);
    memory = static_cast<char*>(RANK(mremap)(memory, 8 * page, 64 * page, MREMAP_MAYMOVE));
    CHILD_CHECK(arena::in_arena(memory) && is_all(memory, 8 * page, 'x') &&
                is_all(memory + 8 * page, 56 * page, 0));
    CHILD_CHECK(RANK(mremap)(memory, 64 * page, page, 0) == memory && is_all(memory, page, 'x'));
    CHILD_CHECK(RANK(munmap)(memory, page) == 0 && rank.pinned_because == nullptr);
  }));
}

TEST_CASE("mappings: memory that is not needed reads as zeroes") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);  // its pages belong to a file; MADV_DONTNEED alone would keep their contents
    const AsRank program(rank);
    char* const memory = map(4 * page);
    memset(memory, 'x', 4 * page);
    CHILD_CHECK(RANK(madvise)(memory + page, 2 * page, MADV_DONTNEED) == 0);
    CHILD_CHECK(is_all(memory + page, 2 * page, 0) && is_all(memory, page, 'x') &&
                is_all(memory + 3 * page, page, 'x'));
    CHILD_CHECK(RANK(madvise)(memory + 1, page, MADV_DONTNEED) == -1 && errno == EINVAL);
  }));
}

TEST_CASE("mappings: a changed protection and memory of other kinds pin the rank") {
  CHECK_CHILD_PASSED(run_in_child([] {
    Rank& rank = make_rank(0);
    const AsRank program(rank);
    char* memory = map(4 * page);
    CHILD_CHECK(RANK(mprotect)(memory, page, PROT_NONE) == 0 && pinned_for(rank, "protection"));
    CHILD_CHECK(RANK(mprotect)(memory, page, PROT_READ | PROT_WRITE) == 0 && rank.pinned_because == nullptr);
    CHILD_CHECK(RANK(mprotect)(memory, page, PROT_READ) == 0 && rank.pinned_because != nullptr);
    CHILD_CHECK(RANK(munmap)(memory, 4 * page) == 0 && rank.pinned_because == nullptr);
    memory = map(4 * page);
    memset(memory, 'x', 4 * page);  // the heap's pages can be written again
    RANK(munmap)(memory, 4 * page);

    memory = map(page, PROT_NONE);
    CHILD_CHECK(!arena::in_arena(memory) && pinned_for(rank, "mapped memory"));
    CHILD_CHECK(RANK(munmap)(memory, page) == 0 && rank.pinned_because == nullptr);
    memory =
        map(std::size_t{1} << 30, PROT_READ | PROT_WRITE, MAP_NORESERVE);  // 64 slots' worth of addresses
    CHILD_CHECK(memory != MAP_FAILED && !arena::in_arena(memory));
    CHILD_CHECK(RANK(munmap)(memory, std::size_t{1} << 30) == 0 && rank.pinned_because == nullptr);
  }));
}
