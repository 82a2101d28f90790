// SPDX-License-Identifier: Apache-2.0
// Compares accumulates with plain arrays: contiguous, in blocks, unaligned, of pairs, and by several threads
// at once, which stand for the PEs of a node.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "runtime/vmpi/rma/update.hpp"

using namespace skein::vmpi;

namespace {

const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }
Update sum_of(MPI_Datatype handle) { return {predefined_op(MPI_SUM), &named(handle)}; }
std::byte* bytes_of(void* memory) { return static_cast<std::byte*>(memory); }

/// Returns blocks of the elements 0, 2, 4, ... of `memory`.
std::vector<Block> every_other(std::vector<long>& memory) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < memory.size(); i += 2) blocks.push_back({bytes_of(&memory[i]), sizeof(long)});
  return blocks;
}

}  // namespace

TEST_CASE("update: adds to blocks with gaps, from an offset on, and tells what was there") {
  std::atomic<std::uint32_t> lock = 0;
  std::vector<long> there(4000), given(1500), before(1500, -1);
  std::iota(there.begin(), there.end(), 100);
  std::iota(given.begin(), given.end(), 7);
  const std::vector<Block> blocks = every_other(there);
  const Place place{nullptr, blocks.data(), blocks.size()};
  update(lock, sum_of(MPI_LONG), place, bytes_of(given.data()), bytes_of(before.data()), 1500 * sizeof(long),
         300 * sizeof(long));
  for (long i = 0; i < 4000; ++i) {
    const bool changed = i % 2 == 0 && i / 2 >= 300 && i / 2 < 1800;
    REQUIRE(there[static_cast<std::size_t>(i)] == 100 + i + (changed ? 7 + i / 2 - 300 : 0));
  }
  for (long i = 0; i < 1500; ++i) REQUIRE(before[static_cast<std::size_t>(i)] == 100 + 2 * (i + 300));
  CHECK(lock == 0);
}

TEST_CASE("update: elements that are not aligned") {
  std::atomic<std::uint32_t> lock = 0;
  std::byte memory[8 * 100 + 3], given[8 * 100 + 1];
  for (int i = 0; i < 100; ++i) {
    const double one = i, other = 0.5 * i;
    memcpy(memory + 3 + 8 * i, &one, 8);
    memcpy(given + 1 + 8 * i, &other, 8);
  }
  const Block block{memory + 3, 800};
  update(lock, sum_of(MPI_DOUBLE), {nullptr, &block, 1}, given + 1, nullptr, 800);
  for (int i = 0; i < 100; ++i) {
    double sum;
    memcpy(&sum, memory + 3 + 8 * i, 8);
    CHECK(sum == 1.5 * i);
  }
}

TEST_CASE("update: pairs travel without their padding") {
  struct Pair {
    double value;
    int index;
  };
  std::atomic<std::uint32_t> lock = 0;
  std::vector<Pair> there(500);
  std::vector<std::byte> given(500 * 12), before(500 * 12);
  for (int i = 0; i < 500; ++i) {
    there[static_cast<std::size_t>(i)] = {10.0 * i, 1};
    const Pair other{i % 2 ? 10.0 * i - 1 : 10.0 * i + 1, 2};
    memcpy(&given[static_cast<std::size_t>(12 * i)], &other.value, 8);
    memcpy(&given[static_cast<std::size_t>(12 * i + 8)], &other.index, 4);
  }
  const Data data = make_data(there.data(), 500, named(MPI_DOUBLE_INT));
  update(lock, {predefined_op(MPI_MINLOC), &named(MPI_DOUBLE_INT)}, {.data = &data}, given.data(),
         before.data(), given.size());
  for (int i = 0; i < 500; ++i) {
    const Pair& now = there[static_cast<std::size_t>(i)];
    CHECK(now.value == (i % 2 ? 10.0 * i - 1 : 10.0 * i));
    CHECK(now.index == (i % 2 ? 2 : 1));
    double old;
    memcpy(&old, &before[static_cast<std::size_t>(12 * i)], 8);
    CHECK(old == 10.0 * i);
  }
}

TEST_CASE("update: MPI_REPLACE puts, MPI_NO_OP only fetches") {
  std::atomic<std::uint32_t> lock = 0;
  int there[3] = {1, 2, 3}, before[3] = {0, 0, 0};
  const int given[3] = {4, 5, 6};
  const Block block{bytes_of(there), sizeof there};
  update(lock, {predefined_op(MPI_NO_OP), &named(MPI_INT)}, {nullptr, &block, 1}, nullptr, bytes_of(before),
         sizeof there);
  CHECK((before[0] == 1 && before[1] == 2 && before[2] == 3 && there[2] == 3));
  update(lock, {predefined_op(MPI_REPLACE), &named(MPI_INT)}, {nullptr, &block, 1},
         reinterpret_cast<const std::byte*>(given), nullptr, sizeof there);
  CHECK((there[0] == 4 && there[1] == 5 && there[2] == 6));
}

TEST_CASE("update: from several PEs at once nothing is lost, tickets are given once") {
  constexpr int threads = 4, each = 5000;
  std::atomic<std::uint32_t> lock = 0;
  long counters[2] = {0, 0};
  std::vector<std::vector<long>> tickets(threads);
  std::vector<std::thread> pes;
  for (std::vector<long>& own : tickets)
    pes.emplace_back([&] {
      const long one = 1;
      const auto* const operand = reinterpret_cast<const std::byte*>(&one);
      for (int i = 0; i < each; ++i) {
        long ticket = -1;
        const Block first{bytes_of(&counters[0]), sizeof(long)};
        update(lock, sum_of(MPI_LONG), {nullptr, &first, 1}, operand, bytes_of(&ticket), sizeof(long));
        own.push_back(ticket);
        long now = 0, expected;
        do {
          expected = now;
          const long next = expected + 1;
          compare_and_swap(lock, bytes_of(&counters[1]), bytes_of(&expected),
                           reinterpret_cast<const std::byte*>(&next), bytes_of(&now), sizeof(long));
        } while (now != expected);
      }
    });
  for (std::thread& pe : pes) pe.join();
  CHECK(counters[0] == threads * each);
  CHECK(counters[1] == threads * each);
  std::vector<char> seen(threads * each);
  for (const std::vector<long>& own : tickets)
    for (const long ticket : own) ++seen.at(static_cast<std::size_t>(ticket));
  CHECK(std::ranges::all_of(seen, [](char times) { return times == 1; }));
}
