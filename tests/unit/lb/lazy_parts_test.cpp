// SPDX-License-Identifier: Apache-2.0
// Tests members, coordinators and witnesses by cases worked out by hand. lazy_protocol_test.cpp tests all of
// them together, in every order of events.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "skein/lb/lazy.hpp"
#include "skein/lb/witness.hpp"

using namespace skein::lb;
using namespace skein::lb::lazy;

TEST_CASE("lazy protocol: while nothing is asked or has come, all points are passed") {
  Member member(10, {});
  for (Point n = 1; n < 10; ++n) {
    CHECK(member.may_pass(n));
    CHECK(member.at(n, false) == Member::At::pass);
    member.passes(n);
  }
  CHECK_FALSE(member.may_pass(10));
  CHECK(member.at(10, false) == Member::At::ask);
  CHECK_FALSE(member.has_asked());
  member.asks(10);
  CHECK(member.has_asked());
  CHECK(member.at(10, true) == Member::At::pass);
  CHECK(member.at(11, false) == Member::At::pass);
}

TEST_CASE("lazy protocol: waiting is at the K-th point behind that of asking") {
  Member member(10, 2);
  member.asks(10);
  CHECK(member.at(11, false) == Member::At::pass);
  CHECK(member.at(12, false) == Member::At::hold);
  member.answered(10);
  CHECK(member.at(12, false) == Member::At::pass);
}

TEST_CASE("witness: a step is made when all stand for the same, and all called since have answered") {
  Witness witness(2, 2);
  CHECK_FALSE(witness.is_to_call());
  witness.stands(0, {.round = 0, .about = 10, .objects = 3});
  witness.stands(1, {.round = 0, .about = 0, .objects = 0});
  CHECK_FALSE(witness.all_stand());  // the second has not heard of the decision yet
  const std::uint64_t before = witness.calls();
  witness.stands(1, {.round = 0, .about = 10, .objects = 0});
  CHECK(witness.is_to_call());
  const std::uint64_t since = witness.calls();
  CHECK_FALSE(witness.answered(before));
  CHECK(witness.answered(since));
  CHECK_FALSE(witness.may_meet());
  CHECK(witness.answered(since));
  CHECK(witness.may_meet());
  CHECK(witness.objects() == 3);
  CHECK(witness.next_round() == 1);
  CHECK_FALSE(witness.all_stand());
}

TEST_CASE(
    "lazy protocol: a decision made before a drop is not promised anything, one made after it is kept") {
  Member member(10, {});
  member.asks(10);
  member.passes(14);
  CHECK(member.decided(10, false) == Point{15});
  CHECK(member.at(15, false) == Member::At::hold);
  member.dropped(3);
  CHECK(member.at(15, false) == Member::At::pass);
  member.agreed(17);  // sent before the coordinator heard of the drop
  CHECK(member.agreed_stop() == kNever);
  CHECK_FALSE(member.decided(10, false, 2));
  CHECK(member.decided(20, false, 4) == Point{15});
  member.dropped(4);
  CHECK(member.at(15, false) == Member::At::hold);
}

TEST_CASE("lazy protocol: of what waits while a decision is made, the newest that is whole is enough") {
  Coordinator coordinator(2);
  CHECK(coordinator.newest_whole() == Point{0});
  coordinator.share(0, 4);
  CHECK(coordinator.newest_whole() == Point{0});
  coordinator.share(1, 2);
  CHECK(coordinator.newest_whole() == Point{2});
  CHECK(coordinator.take() == Point{2});
  coordinator.share(1, 4);
  coordinator.share(1, 6);
  coordinator.share(1, 8);
  CHECK(coordinator.newest_whole() == Point{4});
  coordinator.share(0, 6);
  CHECK(coordinator.newest_whole() == Point{6});
  coordinator.dry(0, 0);  // the PE has no objects any more
  CHECK(coordinator.newest_whole() == Point{8});
  coordinator.nothing_to_do();
  CHECK(coordinator.take() == Point{8});
}

TEST_CASE("lazy protocol: the point that all stop at is the largest promise") {
  Coordinator coordinator(3);
  for (std::size_t p = 0; p < 3; ++p) CHECK(coordinator.share(p, 10));
  CHECK(coordinator.take() == Point{10});
  coordinator.decides();
  CHECK_FALSE(coordinator.promised(10, 12));
  CHECK_FALSE(coordinator.promised(10, 17));
  CHECK_FALSE(coordinator.promised(5, 9));  // of a decision that was dropped
  CHECK(coordinator.promised(10, 11) == Point{17});
  CHECK_FALSE(coordinator.share(0, 16));
  CHECK(coordinator.share(0, 17));
}

TEST_CASE("lazy protocol: the newest whole point is the least of what those have sent that run objects") {
  constexpr std::size_t members = 5;
  Coordinator coordinator(members);
  std::array<Point, members> newest{};
  std::array<bool, members> dry{};
  std::mt19937 random(1);
  for (int event = 0; event < 10'000; ++event) {
    const std::size_t member = random() % members;
    if (random() % 20 == 0) {
      coordinator.dry(member, coordinator.epoch());
      dry[member] = true;
    } else {
      newest[member] += random() % 3;
      coordinator.share(member, newest[member]);
    }
    if (random() % 50 == 0) {
      coordinator.applied();
      dry.fill(false);
    }
    Point least = kNever;
    for (std::size_t i = 0; i < members; ++i)
      if (!dry[i]) least = std::min(least, newest[i]);
    REQUIRE(coordinator.newest_whole() == (least == kNever ? 0 : least));
  }
}
