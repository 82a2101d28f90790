// SPDX-License-Identifier: Apache-2.0
// The pattern of recursive doubling and halving, played by all ranks at once with sets of ranks in place of
// values: at the end each span has the contribution of every rank, in rank order, exactly once.
#include <doctest/doctest.h>

#include <vector>

#include "lb/collectives/halving.hpp"

using namespace skein::collectives;

namespace {

/// A run of neighbouring ranks: the only partial result that an operation which does not commute may have.
struct Run {
  int first, end;
};

Run joined(Run low, Run high) {
  REQUIRE(low.end == high.first);
  return {low.first, high.end};
}

}  // namespace

TEST_CASE("Halving: members are a power of two and stand for all ranks") {
  for (int ranks = 1; ranks <= 130; ++ranks) {
    CAPTURE(ranks);
    int members = 0, spoken_for = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const Halving pattern(rank, ranks);
      CHECK((pattern.power() & (pattern.power() - 1)) == 0);
      CHECK(pattern.power() <= ranks);
      CHECK(2 * pattern.power() > ranks);
      if (pattern.member() < 0) {
        // The lower neighbour has the part of this rank.
        const Halving lower(rank - 1, ranks);
        REQUIRE(lower.member() >= 0);
        CHECK(lower.doubled(lower.member()));
        continue;
      }
      CHECK(pattern.rank_of(pattern.member()) == rank);
      CHECK(pattern.member() == members++);
      spoken_for += pattern.doubled(pattern.member()) ? 2 : 1;
    }
    CHECK(members == Halving(0, ranks).power());
    CHECK(spoken_for == ranks);
  }
}

TEST_CASE("Halving: every meeting joins ranks side by side, until each member has all of them") {
  for (int ranks = 1; ranks <= 70; ++ranks) {
    CAPTURE(ranks);
    const Halving pattern(0, ranks);
    std::vector<Run> has;
    for (int member = 0; member < pattern.power(); ++member) {
      const int rank = pattern.rank_of(member);
      has.push_back({rank, rank + (pattern.doubled(member) ? 2 : 1)});
    }
    for (int distance = 1; distance < pattern.power(); distance *= 2) {
      std::vector<Run> after(has.size());
      for (std::size_t member = 0; member < has.size(); ++member) {
        const std::size_t other = member ^ static_cast<std::size_t>(distance);
        after[member] = other < member ? joined(has[other], has[member]) : joined(has[member], has[other]);
      }
      has = after;
    }
    for (const Run run : has) {
      CHECK(run.first == 0);
      CHECK(run.end == ranks);
    }
  }
}

TEST_CASE(
    "Halving: a pair that meets shares its span without gap or overlap; in the end all spans cover all") {
  for (const int power : {1, 2, 4, 8, 64})
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{7}, std::int64_t{64},
                                     std::int64_t{1001}, std::int64_t{3} << 33}) {
      CAPTURE(power);
      CAPTURE(count);
      for (int distance = 1; distance < power; distance *= 2)
        for (int member = 0; member < power; ++member) {
          if (member & distance) continue;
          const Span before = Halving::left_with(member, distance, count);
          const Span before_other = Halving::left_with(member | distance, distance, count);
          CHECK(before.first == before_other.first);
          CHECK(before.count == before_other.count);
          const Span lower = Halving::left_with(member, 2 * distance, count);
          const Span upper = Halving::left_with(member | distance, 2 * distance, count);
          CHECK(lower.first == before.first);
          CHECK(upper.first == lower.first + lower.count);
          CHECK(upper.first + upper.count == before.first + before.count);
          CHECK(upper.count - lower.count <= 1);
        }
      std::int64_t total = 0;
      for (int member = 0; member < power; ++member) total += Halving::left_with(member, power, count).count;
      CHECK(total == count);
    }
}
