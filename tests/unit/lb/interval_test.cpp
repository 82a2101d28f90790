// SPDX-License-Identifier: Apache-2.0
// What an interval took, and would have taken without moves, computed from what each PE reports of its own
// objects.
#include "skein/lb/interval.hpp"

#include <doctest/doctest.h>

using namespace skein::lb;
using Seconds = std::vector<double>;
using LoadIs = IntervalShare::LoadIs;

namespace {

/// Adds up the shares as the reduction over the PEs does.
Interval sum(const std::vector<IntervalShare>& shares) {
  std::vector<double> sums(shares[0].numbers().size());
  for (const IntervalShare& share : shares)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += share.numbers()[i];
  return Interval(4, 10, sums);
}

std::vector<IntervalShare> shares_of(int pes) {
  std::vector<IntervalShare> shares;
  for (int pe = 0; pe < pes; ++pe) shares.emplace_back(pe, pes);
  return shares;
}

}  // namespace

TEST_CASE("interval: objects that have moved count where they are, where they were, and where they belong") {
  // Three PEs. Objects: 3 s, belongs to PE 0, came to PE 1 by the last step; 2 s, belongs to PE 0, on PE 2
  // for long; 1 s, always on PE 2; 4 s, always on PE 0.
  std::vector<IntervalShare> shares = shares_of(3);
  shares[1].add_object(3, 0, 0);
  shares[2].add_object(2, 0, 2);
  shares[2].add_object(1, 2, 2);
  shares[0].add_object(4, 0, 0);
  shares[0].set_time(50, 5);
  shares[0].set_waiting(3);
  shares[2].set_waiting(6);
  const Interval interval = sum(shares);
  CHECK(interval.waited_s == Seconds{3, 0, 6});
  CHECK(interval.took_s == Seconds{4, 3, 3});
  CHECK(interval.unbalanced_s == Seconds{9, 0, 1});
  CHECK(interval.unmoved_s == Seconds{7, 0, 3});
  CHECK(interval.index == 4);
  CHECK(interval.points == 10);
  CHECK(interval.so_far_s == 50);
  CHECK(interval.length_s == 5);
}

TEST_CASE("interval: one process that plays all PEs comes to the same") {
  IntervalShare all(0, 3);
  all.add_object_on(1, 3, 0, 0);
  all.add_object_on(2, 2, 0, 2);
  all.add_object_on(2, 1, 2, 2);
  all.add_object_on(0, 4, 0, 0);
  const Interval interval(0, 1, all.numbers());
  CHECK(interval.took_s == Seconds{4, 3, 3});
  CHECK(interval.unbalanced_s == Seconds{9, 0, 1});
  CHECK(interval.unmoved_s == Seconds{7, 0, 3});
}

TEST_CASE("interval: a PE without objects, and one PE alone") {
  CHECK(sum(shares_of(2)).took_s == Seconds{0, 0});
  std::vector<IntervalShare> alone = shares_of(1);
  alone[0].add_object(2, 0, 0);
  CHECK(sum(alone).unbalanced_s == Seconds{2});
}

TEST_CASE("interval: loads that are times are seconds, whatever was measured besides") {
  // A program that leaves a part of its time unmeasured has loads below the time that it used.
  std::vector<IntervalShare> shares = shares_of(2);
  shares[0].add_object(4, 0, 0);
  shares[0].add_load(1, LoadIs::time);
  const Interval interval = sum(shares);
  CHECK(interval.seconds_per_load == 1);
  CHECK(interval.loads_grow);
}

TEST_CASE("interval: events and declared loads are worth the seconds that they took on average") {
  std::vector<IntervalShare> shares = shares_of(2);
  shares[0].add_object(4, 0, 0);
  shares[0].add_load(3e9, LoadIs::events);
  shares[1].add_object(2, 1, 1);
  shares[1].add_load(1e9, LoadIs::events);
  CHECK(sum(shares).seconds_per_load == doctest::Approx(6 / 4e9));
  CHECK(sum(shares).loads_grow);

  std::vector<IntervalShare> declared = shares_of(2);
  declared[0].add_object(4, 0, 0);
  declared[0].add_load(80, LoadIs::declared);
  CHECK(sum(declared).seconds_per_load == doctest::Approx(0.05));
  CHECK_FALSE(sum(declared).loads_grow);

  // What manages the others may be measured, while they declare their loads.
  declared[1].add_load(79, LoadIs::time);
  CHECK_FALSE(sum(declared).loads_grow);
  declared[1].add_load(2, LoadIs::time);
  CHECK(sum(declared).loads_grow);

  // No object has a load: there is nothing to level, however long the interval took.
  std::vector<IntervalShare> nothing = shares_of(1);
  nothing[0].add_object(4, 0, 0);
  nothing[0].add_load(0, LoadIs::declared);
  CHECK(sum(nothing).seconds_per_load == 0);
}

TEST_CASE("gain: the fullest PE of each interval counts, not the PE that was the fullest over all") {
  Gain gain;
  CHECK(gain.without_s() == 0);
  // The load wanders from one PE to the other; levelled, both have half of it each time.
  gain.add(Seconds{6, 2}, Seconds{6, 2});
  gain.add(Seconds{4, 4}, Seconds{2, 6});
  gain.add(Seconds{4, 4}, Seconds{7, 1});
  CHECK(gain.with_s() == 6 + 4 + 4);
  CHECK(gain.without_s() == 6 + 6 + 7);
  // The whole run would have had 15 and 9 s on the two: a sum over the run would say 15.
}

TEST_CASE("gain: balancing that makes it worse is told as it is") {
  Gain gain;
  gain.add(Seconds{1, 5}, Seconds{3, 3});
  CHECK(gain.without_s() - gain.with_s() == -2);
}
