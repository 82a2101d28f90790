// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

struct RankState;

/// An ordered set of world ranks. Immutable once made; counted, since communicators share it.
///
/// A regular group (first, first + stride, ...) takes no memory for its members: the worlds of 10,000 ranks
/// would otherwise hold 10^8 numbers. make_group() finds that form by itself.
struct Group {
  int size = 0;
  int first = 0;
  int stride = 1;
  std::pmr::vector<int> members;                   ///< world ranks, when irregular
  std::pmr::vector<std::pair<int, int>> by_world;  ///< (world rank, rank), sorted; when irregular
  int references = 1;

  explicit Group(std::pmr::memory_resource* memory) : members(memory), by_world(memory) {}

  /// Precondition: 0 <= rank < size.
  int world_rank(int rank) const {
    return members.empty() ? first + rank * stride : members[static_cast<size_t>(rank)];
  }
  /// MPI_UNDEFINED when it is no member. O(1) for regular groups, O(log size) for others.
  int rank_of(int world_rank) const;
};

Group* make_group(RankState& state, std::span<const int> world_ranks);
Group* make_regular_group(RankState& state, int first, int stride, int size);
void release_group(RankState& state, Group* group);

/// nullptr for an invalid handle; MPI_GROUP_EMPTY is valid.
Group* find_group(RankState& state, MPI_Group handle);

}  // namespace skein::vmpi
