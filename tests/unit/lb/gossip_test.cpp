// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "skein/lb/distributed.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// 10 | 0 in objects of 1: limit 5 x 1.02. PE 0 is 4.9 too high, so five go.
TEST_CASE("gossip: two PEs meet in the middle") {
  const Snapshot snapshot = test::make_snapshot(2, std::vector<double>(10, 1), std::vector<PeIndex>(10, 0));
  const Assignment pe_of = parse_strategy("gossip").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{5, 5});
}

// 3 | 2: giving the object of load 3 would leave 0 | 5, exchanging both 2 | 3.
TEST_CASE("gossip: nothing goes that makes the other the later one") {
  const Snapshot snapshot = test::make_snapshot(2, {3, 2}, {0, 1});
  CHECK(parse_strategy("gossip:target=1").assign(snapshot, 1) == snapshot.objects.pe);
}

TEST_CASE("gossip: nothing moves within the target") {
  const Snapshot snapshot = test::make_snapshot(2, {1, 1, 1, 2}, {0, 0, 1, 1});
  CHECK(parse_strategy("gossip:target=1.2").assign(snapshot, 1) == snapshot.objects.pe);
}

// 5 + 4 | 2 + 1, at most 6.12 each: the room of PE 1 is 3.12, less than any object of PE 0. Of the exchanges
// only that of 4 and 1, or of 5 and 2, leaves 6 | 6.
TEST_CASE("gossip: where no object fits, one goes for a lighter one") {
  const Snapshot snapshot = test::make_snapshot(2, {5, 4, 2, 1}, {0, 0, 1, 1});
  const Assignment pe_of = parse_strategy("gossip").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{6, 6});
  CHECK(movement(snapshot, pe_of).objects == 2);
}

// 6 on a PE of speed 1, nothing on one of speed 2: both finish after 2.
TEST_CASE("gossip: a PE twice as fast gets twice as much") {
  Snapshot snapshot = test::make_snapshot(2, std::vector<double>(6, 1), std::vector<PeIndex>(6, 0));
  snapshot.pes.speed[1] = 2;
  const Assignment pe_of = parse_strategy("gossip").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{2, 2});
}

// The mean is 4, but an object of 10 finishes at 10 wherever it is: what is beside it goes, and no more.
TEST_CASE("gossip: nobody moves anything for less than the heaviest object takes") {
  const Snapshot snapshot = test::make_snapshot(4, {10, 1, 4, 1}, {0, 0, 1, 2});
  const Assignment pe_of = parse_strategy("gossip").assign(snapshot, 1);
  CHECK(std::ranges::max(finish_times(snapshot, pe_of)) == 10);
  CHECK(movement(snapshot, pe_of).objects == 1);
  CHECK(pe_of[1] != 0);
}

// PE 3 of 4 has all 16: it meets 2, then 1, so halves go to 2 and half of the rest to 1; 2 gives half to 0.
// No object ever goes back, and those that stay are a quarter.
TEST_CASE("gossip: what one PE has spreads by halves") {
  const Snapshot snapshot = test::make_snapshot(4, std::vector<double>(16, 1), std::vector<PeIndex>(16, 3));
  const Assignment pe_of = parse_strategy("gossip:rounds=2").assign(snapshot, 1);
  CHECK(finish_times(snapshot, pe_of) == std::vector<double>{4, 4, 4, 4});
  CHECK(movement(snapshot, pe_of).objects == 12);
}

TEST_CASE("gossip: fine-grained load on one PE of many spreads to all, any number of them") {
  for (const PeIndex pes : {3u, 7u, 64u, 100u}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(pes);
      Random random(seed);
      Snapshot snapshot;
      snapshot.pes = uniform_pes(pes);
      for (PeIndex i = 0; i < 100 * pes; ++i) snapshot.add_object({.id = i, .pe = 2, .load = random.unit()});
      CHECK(percent_imbalance(snapshot, parse_strategy("gossip").assign(snapshot, seed)) <= 2.001);
    }
  }
}

namespace {

struct Counts {
  std::size_t rounds = 0, messages = 0;  // of the PE that sends most
};

Counts counts_of(const Snapshot& snapshot, std::uint64_t seed) {
  const Selection strategy = parse_strategy("gossip");
  std::vector<std::unique_ptr<PeProcess>> processes;
  for (LocalPe& view : local_views(snapshot))
    processes.push_back(strategy.info->begin(std::move(view), strategy.options, seed));
  std::vector<std::vector<PeMessage>> inbox(processes.size());
  std::vector<std::size_t> sent(processes.size(), 0);
  Totals totals;
  Counts counts;
  for (bool done = false; !done; ++counts.rounds) {
    std::vector<std::vector<PeMessage>> next(processes.size());
    std::vector<Totals> contributions;
    for (PeIndex pe = 0; pe < processes.size(); ++pe) {
      PeRound round = processes[pe]->step(inbox[pe], totals);
      done = round.done;
      contributions.push_back(round.contribution);
      sent[pe] += round.messages.size();
      for (PeMessage& message : round.messages) {
        const PeIndex to = std::exchange(message.pe, pe);
        next[to].push_back(std::move(message));
      }
    }
    totals = add_up(std::move(contributions));
    inbox = std::move(next);
  }
  counts.messages = std::ranges::max(sent);
  return counts;
}

}  // namespace

// Eight a factor of two: some 75 rounds are documented for 8,192 PEs, which are 13 factors.
TEST_CASE("gossip: rounds grow as the logarithm of the PEs, messages of a PE and its sums as its square") {
  for (PeIndex pes = 4; pes <= 2048; pes *= 2) {
    const auto log2 = static_cast<std::size_t>(std::bit_width(pes) - 1);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      CAPTURE(pes);
      Random random(seed);
      Snapshot snapshot;
      snapshot.pes = uniform_pes(pes);
      for (PeIndex i = 0; i < 8 * pes; ++i)
        snapshot.add_object({.id = i, .pe = i / 8, .load = random.unit()});
      const Counts counts = counts_of(snapshot, seed);
      CHECK(counts.rounds <= 8 * log2);
      CHECK(counts.messages <= counts.rounds);
      // A sum over all PEs is made in log2 PEs messages of each, in every round.
      CHECK(counts.messages + counts.rounds * log2 <= 8 * log2 * (log2 + 1));
    }
  }
}
