// SPDX-License-Identifier: Apache-2.0
// Groups (MPI 4.1, 7.3).
#include <algorithm>
#include <vector>

#include "runtime/vmpi/arguments.hpp"

namespace skein::vmpi {
namespace {

/// Makes a group from `from`, and so of the same session.
MPI_Group publish(RankState& state, std::span<const int> world_ranks, const Group& from) {
  if (world_ranks.empty()) return MPI_GROUP_EMPTY;
  Group* const group = make_group(state, world_ranks);
  group->session = from.session;
  return state.groups.add(group);
}

std::vector<int> members_of(const Group& group) {
  std::vector<int> members(static_cast<std::size_t>(group.size));
  for (int rank = 0; rank < group.size; ++rank)
    members[static_cast<std::size_t>(rank)] = group.world_rank(rank);
  return members;
}

int get_two(const ApiCall& call, MPI_Group first, MPI_Group second, Group*& a, Group*& b) {
  SKEIN_TRY(get_group(call, first, a));
  return get_group(call, second, b);
}

/// Expands `ranges` (first, last, stride) to ranks.
int expand(const ApiCall& call, const Group& group, int n, int ranges[][3], std::vector<int>& ranks) {
  for (int i = 0; i < n; ++i) {
    const auto [first, last, stride] = std::tuple(ranges[i][0], ranges[i][1], ranges[i][2]);
    if (stride == 0 || first < 0 || first >= group.size || last < 0 || last >= group.size)
      return raise(call, nullptr, MPI_ERR_ARG, "range %d (%d, %d, %d) of a group of %d", i, first, last,
                   stride, group.size);
    for (int rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) ranks.push_back(rank);
  }
  return MPI_SUCCESS;
}

int check_distinct(const ApiCall& call, const Group& group, std::span<const int> ranks) {
  std::vector<bool> seen(static_cast<std::size_t>(group.size));
  for (const int rank : ranks) {
    if (rank < 0 || rank >= group.size)
      return raise(call, nullptr, MPI_ERR_RANK, "rank %d of a group of %d", rank, group.size);
    if (seen[static_cast<std::size_t>(rank)])
      return raise(call, nullptr, MPI_ERR_RANK, "rank %d is named twice", rank);
    seen[static_cast<std::size_t>(rank)] = true;
  }
  return MPI_SUCCESS;
}

int include(const ApiCall& call, const Group& group, std::span<const int> ranks, MPI_Group* out) {
  SKEIN_TRY(check_distinct(call, group, ranks));
  std::vector<int> members;
  for (const int rank : ranks) members.push_back(group.world_rank(rank));
  *out = publish(call.state, members, group);
  return MPI_SUCCESS;
}

int exclude(const ApiCall& call, const Group& group, std::span<const int> ranks, MPI_Group* out) {
  SKEIN_TRY(check_distinct(call, group, ranks));
  std::vector<bool> excluded(static_cast<std::size_t>(group.size));
  for (const int rank : ranks) excluded[static_cast<std::size_t>(rank)] = true;
  std::vector<int> members;
  for (int rank = 0; rank < group.size; ++rank)
    if (!excluded[static_cast<std::size_t>(rank)]) members.push_back(group.world_rank(rank));
  *out = publish(call.state, members, group);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Group_size(MPI_Group handle, int* size) {
  ApiCall call("MPI_Group_size");
  SKEIN_GET(Group*, group, get_group(call, handle, group));
  *size = group->size;
  return MPI_SUCCESS;
}

int MPI_Group_rank(MPI_Group handle, int* rank) {
  ApiCall call("MPI_Group_rank");
  SKEIN_GET(Group*, group, get_group(call, handle, group));
  *rank = group->rank_of(call.state.rank.id);
  return MPI_SUCCESS;
}

int MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]) {
  ApiCall call("MPI_Group_translate_ranks");
  Group *from = nullptr, *to = nullptr;
  SKEIN_TRY(get_two(call, group1, group2, from, to));
  for (int i = 0; i < n; ++i) {
    if (ranks1[i] == MPI_PROC_NULL) {
      ranks2[i] = MPI_PROC_NULL;
      continue;
    }
    if (ranks1[i] < 0 || ranks1[i] >= from->size)
      return raise(call, nullptr, MPI_ERR_RANK, "rank %d of a group of %d", ranks1[i], from->size);
    ranks2[i] = to->rank_of(from->world_rank(ranks1[i]));
  }
  return MPI_SUCCESS;
}

int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int* result) {
  ApiCall call("MPI_Group_compare");
  Group *a = nullptr, *b = nullptr;
  SKEIN_TRY(get_two(call, group1, group2, a, b));
  std::vector<int> left = members_of(*a), right = members_of(*b);
  if (left == right) {
    *result = MPI_IDENT;
    return MPI_SUCCESS;
  }
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  *result = left == right ? MPI_SIMILAR : MPI_UNEQUAL;
  return MPI_SUCCESS;
}

int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  ApiCall call("MPI_Group_union");
  Group *a = nullptr, *b = nullptr;
  SKEIN_TRY(get_two(call, group1, group2, a, b));
  std::vector<int> members = members_of(*a);
  for (const int rank : members_of(*b))
    if (a->rank_of(rank) == MPI_UNDEFINED) members.push_back(rank);
  *newgroup = publish(call.state, members, *a);
  return MPI_SUCCESS;
}

int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  ApiCall call("MPI_Group_intersection");
  Group *a = nullptr, *b = nullptr;
  SKEIN_TRY(get_two(call, group1, group2, a, b));
  std::vector<int> members = members_of(*a);
  std::erase_if(members, [&](int rank) { return b->rank_of(rank) == MPI_UNDEFINED; });
  *newgroup = publish(call.state, members, *a);
  return MPI_SUCCESS;
}

int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  ApiCall call("MPI_Group_difference");
  Group *a = nullptr, *b = nullptr;
  SKEIN_TRY(get_two(call, group1, group2, a, b));
  std::vector<int> members = members_of(*a);
  std::erase_if(members, [&](int rank) { return b->rank_of(rank) != MPI_UNDEFINED; });
  *newgroup = publish(call.state, members, *a);
  return MPI_SUCCESS;
}

int MPI_Group_incl(MPI_Group handle, int n, const int ranks[], MPI_Group* newgroup) {
  ApiCall call("MPI_Group_incl");
  SKEIN_GET(Group*, group, get_group(call, handle, group));
  if (n < 0) return raise(call, nullptr, MPI_ERR_ARG, "n is %d", n);
  return include(call, *group, as_span(ranks, n), newgroup);
}

int MPI_Group_excl(MPI_Group handle, int n, const int ranks[], MPI_Group* newgroup) {
  ApiCall call("MPI_Group_excl");
  SKEIN_GET(Group*, group, get_group(call, handle, group));
  if (n < 0) return raise(call, nullptr, MPI_ERR_ARG, "n is %d", n);
  return exclude(call, *group, as_span(ranks, n), newgroup);
}

int MPI_Group_range_incl(MPI_Group handle, int n, int ranges[][3], MPI_Group* newgroup) {
  ApiCall call("MPI_Group_range_incl");
  Group* group = nullptr;
  std::vector<int> ranks;
  SKEIN_TRY(get_group(call, handle, group));
  SKEIN_TRY(expand(call, *group, n, ranges, ranks));
  return include(call, *group, ranks, newgroup);
}

int MPI_Group_range_excl(MPI_Group handle, int n, int ranges[][3], MPI_Group* newgroup) {
  ApiCall call("MPI_Group_range_excl");
  Group* group = nullptr;
  std::vector<int> ranks;
  SKEIN_TRY(get_group(call, handle, group));
  SKEIN_TRY(expand(call, *group, n, ranges, ranks));
  return exclude(call, *group, ranks, newgroup);
}

int MPI_Group_free(MPI_Group* handle) {
  ApiCall call("MPI_Group_free");
  SKEIN_GET(Group*, group, get_group(call, *handle, group));
  if (*handle != MPI_GROUP_EMPTY) {
    call.state.groups.remove(*handle);
    release_group(call.state, group);
  }
  *handle = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

}  // extern "C"
