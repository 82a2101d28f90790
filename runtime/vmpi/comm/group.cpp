// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/group.hpp"

#include <algorithm>
#include <new>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

bool regular(std::span<const int> ranks) {
  if (ranks.size() < 2) return true;
  const int stride = ranks[1] - ranks[0];
  if (stride == 0) return false;
  for (std::size_t i = 2; i < ranks.size(); ++i)
    if (ranks[i] - ranks[i - 1] != stride) return false;
  return true;
}

/// Returns MPI_GROUP_EMPTY: one object for all ranks, in the launcher's static data; never freed.
Group& empty_group() {
  static Group group(std::pmr::new_delete_resource());
  return group;
}

}  // namespace

int Group::rank_of(int wanted) const {
  if (!irregular) {
    if (size == 0) return MPI_UNDEFINED;
    const int distance = wanted - first;
    const int rank = distance / stride;
    return distance % stride == 0 && rank >= 0 && rank < size ? rank : MPI_UNDEFINED;
  }
  const auto found = std::lower_bound(by_world.begin(), by_world.end(), std::pair(wanted, 0));
  return found != by_world.end() && found->first == wanted ? found->second : MPI_UNDEFINED;
}

Group* make_group(RankState& state, std::span<const int> world_ranks) {
  auto* group = new (state.memory.allocate(sizeof(Group), alignof(Group))) Group(&state.memory);
  group->size = static_cast<int>(world_ranks.size());
  if (group->size > 0) group->first = world_ranks[0];
  if (group->size > 1) group->stride = world_ranks[1] - world_ranks[0];
  if (regular(world_ranks)) return group;
  group->world_ranks.assign(world_ranks.begin(), world_ranks.end());
  group->use_world_ranks();
  group->by_world.reserve(world_ranks.size());
  for (int rank = 0; rank < group->size; ++rank)
    group->by_world.emplace_back(world_ranks[static_cast<std::size_t>(rank)], rank);
  std::sort(group->by_world.begin(), group->by_world.end());
  return group;
}

Group* make_regular_group(RankState& state, int first, int stride, int size) {
  auto* group = new (state.memory.allocate(sizeof(Group), alignof(Group))) Group(&state.memory);
  group->first = first;
  group->stride = stride;
  group->size = size;
  return group;
}

void release_group(RankState& state, Group* group) {
  if (group == &empty_group() || --group->references > 0) return;
  group->~Group();
  state.memory.deallocate(group, sizeof(Group), alignof(Group));
}

Group* find_group(RankState& state, MPI_Group handle) {
  return handle == MPI_GROUP_EMPTY ? &empty_group() : state.groups.find(handle);
}

}  // namespace skein::vmpi
