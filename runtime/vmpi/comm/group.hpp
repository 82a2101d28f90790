// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

struct RankState;

/// The world ranks of the members of a group.
struct Members {
  int size = 0;
  int first = 0;
  int stride = 1;
  const int* irregular = nullptr;  ///< world ranks; null: first, first + stride, ...

  /// Precondition: 0 <= rank < size.
  int world_rank(int rank) const { return irregular ? irregular[rank] : first + rank * stride; }
};

/// An ordered set of world ranks. Immutable once made; counted, since communicators share it.
///
/// A regular group takes no memory for its members: the worlds of 10,000 ranks would otherwise hold 10^8
/// numbers. make_group() finds that form by itself.
struct Group : Members {
  std::pmr::vector<int> world_ranks;               ///< if irregular
  std::pmr::vector<std::pair<int, int>> by_world;  ///< (world rank, rank), sorted; if irregular
  int references = 1;
  MPI_Session session = MPI_SESSION_NULL;  ///< session that it comes from

  explicit Group(std::pmr::memory_resource* memory) : world_ranks(memory), by_world(memory) {}

  /// Makes `world_ranks`, which must not change any more, the members.
  void use_world_ranks() {
    size = static_cast<int>(world_ranks.size());
    irregular = world_ranks.data();
  }

  /// Returns MPI_UNDEFINED for a rank that is no member. O(1) for regular groups, O(log size) for others.
  int rank_of(int world_rank) const;
};

Group* make_group(RankState& state, std::span<const int> world_ranks);
Group* make_regular_group(RankState& state, int first, int stride, int size);
void release_group(RankState& state, Group* group);

/// Returns nullptr for an invalid handle; MPI_GROUP_EMPTY is valid.
Group* find_group(RankState& state, MPI_Group handle);

}  // namespace skein::vmpi
