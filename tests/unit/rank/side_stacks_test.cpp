// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/side_stacks.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

using Stacks = std::vector<SideStack*>;

// A fiber that takes stacks and never runs.
Fiber user;

Stacks take(Rank& rank, int count) {
  Stacks taken;
  for (int i = 0; i < count; ++i) taken.push_back(&take_side_stack(rank, user));
  return taken;
}

void give_all_back(Rank& rank, const Stacks& stacks) {
  for (SideStack* const stack : stacks) give_back(rank, *stack);
}

/// Takes one stack and gives it back, `times` times.
void use_one_at_a_time(Rank& rank, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) give_all_back(rank, take(rank, 1));
}

/// Returns true if the kernel can read the byte at `address`; causes no fault.
bool is_readable(const std::byte* address) {
  int pipe_ends[2];
  CHILD_CHECK(pipe(pipe_ends) == 0);
  const bool read = write(pipe_ends[1], address, 1) == 1;
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return read;
}

/// Returns all stacks that the rank has, and checks that their list is whole.
std::set<SideStack*> all_of(const Rank& rank) {
  std::set<SideStack*> all;
  const SideStack* previous = nullptr;
  for (SideStack* stack = rank.side_stacks.all; stack; stack = stack->next) {
    CHILD_CHECK(stack->previous == previous);
    CHILD_CHECK(all.insert(stack).second);
    previous = stack;
  }
  CHILD_CHECK(all.size() == rank.side_stacks.made);
  return all;
}

}  // namespace

TEST_CASE("side stacks: as many as are used at once are kept for the next time") {
  const ChildEnd end = run_in_child([] {
    Rank& rank = make_rank(0);
    give_all_back(rank, take(rank, 40));
    const std::set<SideStack*> first = all_of(rank);
    CHILD_CHECK(first.size() == 40);
    for (int round = 0; round < 100; ++round) {
      const Stacks taken = take(rank, 40);
      CHILD_CHECK(std::set(taken.begin(), taken.end()) == first);
      give_all_back(rank, taken);
    }
    CHILD_CHECK(all_of(rank) == first);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("side stacks: those that were not needed for long are given back") {
  const ChildEnd end = run_in_child([] {
    Rank& rank = make_rank(0);
    const std::size_t before = rank.heap.bytes_in_use();
    give_all_back(rank, take(rank, 40));
    use_one_at_a_time(rank, 100);
    CHILD_CHECK(rank.side_stacks.made == 40);  // those were used lately
    use_one_at_a_time(rank, 10'000);
    CHILD_CHECK(all_of(rank).size() <= 8);
    CHILD_CHECK(rank.heap.bytes_in_use() - before <= 8 * (side_stack_bytes() * 9 / 8 + 64));
    // Stacks are not given back while bursts return: a burst now and then finds its stacks again.
    for (int burst = 0; burst < 20; ++burst) {
      give_all_back(rank, take(rank, 30));
      use_one_at_a_time(rank, 200);
      CHILD_CHECK(rank.side_stacks.made == 30);
    }
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("side stacks: one that a fiber has is never given back, in whatever order others are") {
  const ChildEnd end = run_in_child([] {
    Rank& rank = make_rank(0);
    Stacks taken = take(rank, 40);
    for (SideStack* const stack : taken) std::memset(stack->end() - 64, static_cast<int>(taken.size()), 64);
    Stacks held;
    for (std::size_t i = 0; i < taken.size(); ++i)  // 7 and 40 have no common divisor: each stack once
      if (SideStack* const stack = taken[i * 7 % taken.size()]; i % 4 == 0)
        held.push_back(stack);
      else
        give_back(rank, *stack);
    use_one_at_a_time(rank, 10'000);
    const std::set<SideStack*> left = all_of(rank);
    CHILD_CHECK(left.size() == held.size() + 1);  // and the one that was used
    for (SideStack* const stack : held) {
      CHILD_CHECK(left.contains(stack));
      CHILD_CHECK(stack->user == &user);
      for (int i = 1; i <= 64; ++i) CHILD_CHECK(stack->end()[-i] == std::byte{40});
    }
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("side stacks: a rank that leaves takes along those that fibers have, guarded where it arrives") {
  const ChildEnd end = run_in_child([] {
    Rank& rank = make_rank(0);
    const Stacks taken = take(rank, 20), others = take(rank, 20);
    give_all_back(rank, others);
    const std::size_t without = bytes_in_use_without_side_stacks(rank);
    remove_side_guards(rank);
    CHILD_CHECK(all_of(rank) == std::set(taken.begin(), taken.end()));
    CHILD_CHECK(bytes_in_use_without_side_stacks(rank) <= without);
    CHILD_CHECK(bytes_in_use_without_side_stacks(rank) < side_stack_bytes());
    for (const SideStack* const stack : taken) stack->block[0] = std::byte{1};  // no guard: no fault
    install_side_guards(rank);
    for (const SideStack* const stack : taken) {
      CHILD_CHECK(!is_readable(stack->block));
      CHILD_CHECK(!is_readable(stack->begin() - 1));
      CHILD_CHECK(is_readable(stack->begin()));
    }
    Stacks again = take(rank, 20);
    CHILD_CHECK(all_of(rank).size() == 40);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}

TEST_CASE("side stacks: a page's worth of what is hot does not fall into one set of a cache") {
  const ChildEnd end = run_in_child([] {
    Rank& rank = make_rank(0);
    std::set<std::uintptr_t> places;
    for (const SideStack* const stack : take(rank, 16))
      places.insert(reinterpret_cast<std::uintptr_t>(stack->end()) % arena::kPageBytes);
    CHILD_CHECK(places.size() == 16);
  });
  CHECK_MESSAGE(end.exit_status == 0, end.errors);
}
