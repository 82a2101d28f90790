// SPDX-License-Identifier: Apache-2.0
// PEs of a node slow each other down. Expected times are worked out by hand: with contention {1, 2} two PEs
// that compute at the same time do half a recorded nanosecond each in a nanosecond.
#include "skein/lb/contention.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;
using skein::trace::Event;
using skein::trace::EventKind;
using skein::trace::Trace;

namespace {

Platform crowded(std::uint32_t pes, std::vector<double> contention) {
  Platform platform = together(pes);
  platform.contention = std::move(contention);
  return platform;
}

// Rank 0 is still computing when rank 1 ends.
Trace long_and_short() {
  Program program(2);
  program.on(0).end(1000);
  program.on(1).end(400);
  return program.finish();
}

// Makes a trace of ranks with these bursts, one in each interval, as if recorded on `pes` PEs with the ranks
// in turn.
Trace recorded(const std::vector<std::vector<std::uint64_t>>& bursts, std::uint32_t pes) {
  skein::trace::Header header;
  header.pes = pes;
  for (std::uint32_t rank = 0; rank < bursts.size(); ++rank) header.placement.push_back(rank % pes);
  skein::trace::TraceBuilder builder(header, bursts.size());
  for (std::uint32_t rank = 0; rank < bursts.size(); ++rank)
    for (std::size_t i = 0; i < bursts[rank].size(); ++i)
      builder.add(rank, {.kind = i + 1 == bursts[rank].size() ? EventKind::end : EventKind::sync,
                         .burst_ns = bursts[rank][i]});
  return std::move(builder).finish();
}

std::vector<std::uint64_t> bursts_of(const Trace& trace, skein::trace::ObjectIndex rank) {
  std::vector<std::uint64_t> bursts;
  skein::trace::Cursor cursor = trace.events(rank);
  while (const Event* event = cursor.next()) bursts.push_back(event->burst_ns);
  return bursts;
}

}  // namespace

TEST_CASE("contention: who goes on alone is faster from then on") {
  // Until 800 both PEs do half: 400 each. Rank 0 has 600 left, and is alone.
  const Timeline timeline = simulate(long_and_short(), crowded(2, {1, 2}), in_blocks());
  CHECK(timeline.makespan == 1400);
  CHECK(timeline.pe_busy == std::vector<Ns>{1400, 800});
  CHECK(simulate(long_and_short(), crowded(2, {1, 1}), in_blocks()).makespan == 1000);
  CHECK(simulate(long_and_short(), crowded(2, {}), in_blocks()).makespan == 1000);
}

TEST_CASE("contention: PEs of other nodes are no neighbours") {
  Platform platform = apart(2);
  platform.contention = {1, 2};
  CHECK(simulate(long_and_short(), platform, in_blocks()).makespan == 1000);
}

TEST_CASE("contention: who begins later slows others down from then on") {
  // Rank 0 sends at 100, to 120; the message is there at 320, and taken at 350. From 120 to 350 rank 0 does
  // 230 alone; then both do half until 950, when rank 1 has done 300 and rank 0 530; rank 0 continues alone
  // to 1420.
  Program program(2);
  program.on(0).send(1, 0, 100).end(1000);
  program.on(1).receive(0, 0).end(300);
  const Timeline timeline = simulate(program.finish(), crowded(2, {1, 2}), in_blocks());
  CHECK(timeline.interval_end.back() == 1420);
  CHECK(timeline.makespan == 1420);
}

TEST_CASE("contention: with more PEs than there are numbers the last one holds") {
  Program program(3);
  for (std::uint32_t rank = 0; rank < 3; ++rank) program.on(rank).end(1000);
  CHECK(simulate(program.finish(), crowded(3, {1, 1.5}), in_blocks()).makespan == 1500);
}

TEST_CASE("contention: a PE of twice the speed, and a change of it") {
  // PE 1 does its 400 at the rate 1 while both compute, until 400; PE 0 has done 200 by then. From 500 on PE
  // 0 has half its speed: it does 100 alone until there, and the 700 that are left take 1400.
  Platform platform = crowded(2, {1, 2});
  platform.speeds = {1, 2};
  platform.changes = {{.pe = 0, .from_ns = 500, .until_ns = 0, .factor = 0.5}};
  CHECK(simulate(long_and_short(), platform, in_blocks()).makespan == 1900);
}

TEST_CASE("contention: ranks of one PE do not slow each other down") {
  Program program(4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) program.on(rank).end(100);
  CHECK(simulate(program.finish(), crowded(1, {1, 2}), in_blocks()).makespan == 400);
}

TEST_CASE("contention: what was recorded among others is what it takes alone") {
  // The times that the first case took: 1400 and 800. In a second interval they are exchanged.
  const Trace trace = recorded({{1400, 800}, {800, 1400}}, 2);
  const Trace alone = without_contention(trace, crowded(2, {1, 2}));
  CHECK(bursts_of(alone, 0) == std::vector<std::uint64_t>{1000, 400});
  CHECK(bursts_of(alone, 1) == std::vector<std::uint64_t>{400, 1000});
}

TEST_CASE("contention: played again where it was recorded it takes what it took, and on one PE less") {
  const Trace alone = without_contention(recorded({{1400}, {800}}, 2), crowded(2, {1, 2}));
  CHECK(simulate(alone, crowded(2, {1, 2}), in_blocks()).pe_busy == std::vector<Ns>{1400, 800});
  CHECK(simulate(alone, crowded(1, {1, 2}), in_blocks()).makespan == 1400);
}

TEST_CASE("contention: recordings without it stay as they are") {
  const Trace trace = recorded({{1400}, {800}}, 2);
  CHECK(bursts_of(without_contention(trace, together(2)), 0) == std::vector<std::uint64_t>{1400});
  CHECK(bursts_of(without_contention(trace, crowded(1, {1, 2})), 0) == std::vector<std::uint64_t>{1400});
  CHECK(bursts_of(without_contention(recorded({{1400}, {800}}, 1), crowded(2, {1, 2})), 0) ==
        std::vector<std::uint64_t>{1400});
  // The trace does not tell where ranks were.
  const Trace made = long_and_short();
  CHECK(why_contention_stays(made).find("does not say on which PEs") != std::string::npos);
  CHECK(bursts_of(without_contention(made, crowded(2, {1, 2})), 0) == std::vector<std::uint64_t>{1000});
}

TEST_CASE("contention: a platform whose lone PE is slowed down is refused") {
  CHECK_THROWS_WITH_AS(validate(crowded(2, {1.5, 2})), doctest::Contains("contention[0] is 1.5"),
                       PlatformError);
  CHECK_THROWS_WITH_AS(validate(crowded(2, {1, 0.5})), doctest::Contains("contention[1] is 0.5"),
                       PlatformError);
}
