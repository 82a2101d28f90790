// SPDX-License-Identifier: Apache-2.0
// Compares groups of any world ranks with a plain list of them, and the set operations of MPI 4.1, section
// 7.3.2, with those of std::vector.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "runtime/vmpi/comm/group.hpp"
#include "tests/unit/rank_here.hpp"

using namespace skein::vmpi;
using skein::test::RankHere;

namespace {

std::vector<int> members_of(const Group& group) {
  std::vector<int> ranks(static_cast<std::size_t>(group.size));
  for (int i = 0; i < group.size; ++i) ranks[static_cast<std::size_t>(i)] = group.world_rank(i);
  return ranks;
}

std::vector<int> members_of(RankState& state, MPI_Group handle) {
  const Group* const group = find_group(state, handle);
  REQUIRE(group != nullptr);
  return members_of(*group);
}

bool has(const std::vector<int>& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

}  // namespace

TEST_CASE("make_group: any list of different world ranks is kept in its order, and found by world rank") {
  RankHere rank;
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> ranks(40);
    std::iota(ranks.begin(), ranks.end(), 0);
    std::shuffle(ranks.begin(), ranks.end(), random);
    ranks.resize(random() % 40);
    if (round % 4 == 0) std::sort(ranks.begin(), ranks.end());
    Group* const group = make_group(rank.state(), ranks);
    CHECK(members_of(*group) == ranks);
    for (int world = -1; world < 41; ++world) {
      const auto at = std::find(ranks.begin(), ranks.end(), world);
      CHECK(group->rank_of(world) == (at == ranks.end() ? MPI_UNDEFINED : int(at - ranks.begin())));
    }
    release_group(rank.state(), group);
  }
}

TEST_CASE("make_group: an arithmetic progression takes no memory for its members, up or down") {
  RankHere rank;
  for (const std::vector<int>& ranks :
       {std::vector<int>{3}, {0, 1, 2, 3}, {5, 8, 11, 14}, {9, 7, 5, 3, 1}, {4, 2}}) {
    Group* const group = make_group(rank.state(), ranks);
    CHECK(group->world_ranks.empty());
    CHECK(group->by_world.empty());
    CHECK(members_of(*group) == ranks);
    // World ranks between the members and beyond both ends.
    for (int world = -2; world < 20; ++world)
      CHECK((group->rank_of(world) != MPI_UNDEFINED) == has(ranks, world));
    release_group(rank.state(), group);
  }
}

TEST_CASE("MPI_Group_union, _intersection, _difference, _compare: as on lists") {
  RankHere rank;
  std::mt19937 random(11);
  // The world of this rank has one member only, so this function gives the groups their handles.
  const auto publish = [&](const std::vector<int>& ranks) {
    return rank.state().groups.add(make_group(rank.state(), ranks));
  };
  for (int round = 0; round < 100; ++round) {
    const auto draw = [&] {
      std::vector<int> ranks(12);
      std::iota(ranks.begin(), ranks.end(), 0);
      std::shuffle(ranks.begin(), ranks.end(), random);
      ranks.resize(1 + random() % 11);
      return ranks;
    };
    const std::vector<int> a = draw(), b = draw();
    MPI_Group first = publish(a), second = publish(b);

    std::vector<int> both, either = a, only;
    for (const int r : a) (has(b, r) ? both : only).push_back(r);
    for (const int r : b)
      if (!has(a, r)) either.push_back(r);

    const auto check = [&](int (*operation)(MPI_Group, MPI_Group, MPI_Group*),
                           const std::vector<int>& expected) {
      MPI_Group made = MPI_GROUP_NULL;
      REQUIRE(operation(first, second, &made) == MPI_SUCCESS);
      if (expected.empty())
        CHECK(made == MPI_GROUP_EMPTY);
      else
        CHECK(members_of(rank.state(), made) == expected);
      if (made != MPI_GROUP_EMPTY) MPI_Group_free(&made);
    };
    check(MPI_Group_union, either);
    check(MPI_Group_intersection, both);
    check(MPI_Group_difference, only);

    int relation = -1;
    REQUIRE(MPI_Group_compare(first, second, &relation) == MPI_SUCCESS);
    const bool same_members = only.empty() && a.size() == b.size();
    CHECK(relation == (a == b ? MPI_IDENT : same_members ? MPI_SIMILAR : MPI_UNEQUAL));
    MPI_Group_free(&first);
    MPI_Group_free(&second);
  }
}
