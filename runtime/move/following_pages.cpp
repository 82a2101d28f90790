// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/following_pages.hpp"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "runtime/balance/memory_domains.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/move/balanced.hpp"
#include "runtime/move/follow_rule.hpp"
#include "runtime/move/rank_pages.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::move {
namespace {

constexpr std::size_t kPagesAtOnce = 512;

/// Moves the pages to a memory node of the system, and returns how many are there. -1: refused.
long move_pages_to(int node, std::array<void*, kPagesAtOnce>& pages, std::size_t count) {
  std::array<int, kPagesAtOnce> nodes, where;
  nodes.fill(node);
  const auto ask = [&] {
    return syscall(SYS_move_pages, 0, count, pages.data(), nodes.data(), where.data(),
                   balanced->following.flag);
  };
  if (ask() < 0) {
    if (balanced->following.flag == MPOL_MF_MOVE) return -1;
    balanced->following.flag = MPOL_MF_MOVE;
    if (ask() < 0) return -1;
  }
  long there = 0;
  for (std::size_t i = 0; i < count; ++i) there += where[i] == node;
  return there;
}

std::uint64_t follow(const Rank& rank, int node) {
  std::array<void*, kPagesAtOnce> pages;
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  const auto move = [&] {
    const long there = count > 0 ? move_pages_to(node, pages, count) : 0;
    count = 0;
    balanced->following.refused |= there < 0;
    if (there > 0) bytes += static_cast<std::uint64_t>(there) * arena::kPageBytes;
  };
  for (const arena::Range& range : pages_of(rank))
    for (std::size_t at = 0; at < range.bytes && !balanced->following.refused; at += arena::kPageBytes) {
      pages[count++] = range.begin + at;
      if (count == kPagesAtOnce) move();
    }
  if (!balanced->following.refused) move();
  return bytes;
}

}  // namespace

void note_hand_over(Rank& rank, int to) {
  rank.memory_home.leave(balance::memory_domain(own_pe));
  if (!balance::are_memories_apart(own_pe, to)) return;
  const auto slot = static_cast<std::size_t>(rank.id);
  for (const arena::Range& range : memory_of(slot, arena::stack_address(slot), arena::slot_address(slot + 1)))
    arena::forget(range);
}

void note_arrival(Rank& rank, bool carried) {
  rank.memory_home.arrive(balance::memory_domain(own_pe), carried, rank.meter.busy_ticks);
}

std::uint64_t follow_ranks() {
  unsigned processor = 0, node = 0;
  if (balance::memory_domain(own_pe) < 0 || balanced->following.refused ||
      syscall(SYS_getcpu, &processor, &node, 0) != 0)
    return 0;
  std::uint64_t all = 0;
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id) {
    if (!pe::is_here(static_cast<int>(id))) continue;
    Rank& rank = rank_in_slot(static_cast<int>(id));
    if (rank.done || !rank.memory_home.is_away()) continue;
    const double stayed = seconds_of(rank.meter.busy_ticks - rank.memory_home.away_since);
    if (!pages_follow(stayed, bytes_to_copy(rank), balanced->following.costs)) continue;
    const double start = seconds();
    const std::uint64_t bytes = follow(rank, static_cast<int>(node));
    if (balanced->following.refused) {
      SKEIN_LOG(verbose, "the system moves no pages to another memory domain: they stay where they are");
      return all;
    }
    rank.memory_home.settle();
    balanced->following.costs.learn(bytes, seconds() - start);
    all += bytes;
  }
  return all;
}

}  // namespace skein::move
