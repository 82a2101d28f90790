// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "lb/kernel/random.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

/// Objects of load 1 and 10 bytes; those of each pair send each other 100 bytes.
Snapshot with_pairs(std::vector<PeIndex> pe_of, std::vector<std::pair<ObjectIndex, ObjectIndex>> pairs) {
  Snapshot snapshot = test::make_snapshot(2, std::vector<double>(pe_of.size(), 1), pe_of);
  snapshot.objects.bytes.assign(pe_of.size(), 10);
  std::vector<CommEdge> edges;
  for (const auto& [a, b] : pairs) {
    edges.push_back({a, b, 100});
    edges.push_back({b, a, 100});
  }
  snapshot.graph = make_comm_graph(pe_of.size(), edges);
  return snapshot;
}

/// Returns the largest sum, over the PEs, of finish time and of `remote` and `local` for each byte sent and
/// received, of which either side pays half.
double largest_work(const Snapshot& snapshot, const Assignment& pe_of, double remote, double local) {
  std::vector<double> work = finish_times(snapshot, pe_of);
  for (ObjectIndex from = 0; from < pe_of.size(); ++from)
    for (std::uint64_t e = snapshot.graph.first[from]; e < snapshot.graph.first[from + 1]; ++e) {
      const PeIndex to_pe = pe_of[snapshot.graph.to[e]];
      const double seconds = snapshot.graph.bytes[e] / 2 * (to_pe == pe_of[from] ? local : remote);
      work[pe_of[from]] += seconds;
      work[to_pe] += seconds;
    }
  return std::ranges::max(work);
}

}  // namespace

// All 400 bytes between PEs would cost the whole load of 4, so a byte 0.01. PE 0 has 4; without objects 0 and
// 1, or 2 and 3, both PEs have 2; without one of a pair it has 3 + 100 x 0.01, without one of each 2 + 2.
TEST_CASE("ccm: who talks to each other goes together") {
  const Snapshot snapshot = with_pairs({0, 0, 0, 0}, {{0, 2}, {1, 3}});
  const Assignment pe_of = parse_strategy("ccm:remote=1").assign(snapshot, 1);
  CHECK(pe_of[0] == pe_of[2]);
  CHECK(pe_of[1] == pe_of[3]);
  CHECK(pe_of[0] != pe_of[1]);
}

// A byte costs 0.01 again. Both PEs have 2 + 200 x 0.01. If PE 0 gives an object, PE 1 has 3 + 1, or 3 + 100
// x 0.01; if each gives one, so that pairs come together, both have 2.
TEST_CASE("ccm: clusters are swapped where neither can be given alone") {
  const Snapshot snapshot = with_pairs({0, 0, 1, 1}, {{0, 2}, {1, 3}});
  const Assignment pe_of = parse_strategy("ccm:remote=1").assign(snapshot, 1);
  CHECK(pe_of[0] == pe_of[2]);
  CHECK(pe_of[1] == pe_of[3]);
  CHECK(pe_of[0] != pe_of[1]);
  CHECK(movement(snapshot, pe_of).objects == 2);
  // Where messages cost nothing there is nothing to gain.
  CHECK(parse_strategy("ccm:remote=0").assign(snapshot, 1) == snapshot.objects.pe);
}

// As in the first case, but PE 1 has room for one object, which alone brings nothing; for two of three PEs.
TEST_CASE("ccm: nobody gets what memory does not allow") {
  Snapshot snapshot = with_pairs({0, 0, 0, 0}, {{0, 2}, {1, 3}});
  snapshot.pes.memory_bytes = {40, 19};
  CHECK(parse_strategy("ccm:remote=1").assign(snapshot, 1) == snapshot.objects.pe);
  snapshot.pes.memory_bytes = {40, 20};
  CHECK(movement(snapshot, parse_strategy("ccm:remote=1").assign(snapshot, 1)).objects == 2);
}

// Bytes cost 3 / 200 s, so that PE 0 has 2 + 1.5 and PE 1 1 + 1.5. Object 0 goes to its partner: 1 and 2.
// Object 1 in its place would leave 1 + 1.5 and 2 + 1.5.
TEST_CASE("ccm: what cannot move draws its partners") {
  Snapshot snapshot = with_pairs({0, 0, 1}, {{0, 2}});
  snapshot.objects.migratable[2] = 0;
  CHECK(parse_strategy("ccm:remote=1").assign(snapshot, 1) == Assignment{1, 0, 1});
}

// 600 bytes in all, so that a byte inside a PE costs 0.01 with local=1, and one between PEs nothing: PE 0 has
// 3 + 3 x 2, as each of two objects pays for 100. Two of three that talk to each other on one PE have 2 + 2.
TEST_CASE("ccm: messages inside a PE can be what costs") {
  const Snapshot snapshot = with_pairs({0, 0, 0}, {{0, 1}, {1, 2}, {0, 2}});
  const Assignment pe_of = parse_strategy("ccm:remote=0,local=2").assign(snapshot, 1);
  CHECK(movement(snapshot, pe_of).objects == 1);
}

namespace {

/// Returns objects of load 1 and 10 bytes without messages, on two PEs, and blocks of 100 bytes.
Snapshot with_blocks(std::vector<PeIndex> pe_of, std::vector<std::uint32_t> block_of,
                     std::vector<PeIndex> home) {
  Snapshot snapshot = with_pairs(std::move(pe_of), {});
  snapshot.blocks = {std::move(block_of), std::vector<std::uint64_t>(home.size(), 100), std::move(home)};
  return snapshot;
}

}  // namespace

// PE 0 has two blocks at first: all would cost 0.2 x 4 s away from home, each 0.4. With objects 0 and 2, or 1
// and 3, on PE 1 the greater work is 2 + 0.4; with one of each block 2 + 0.8, with one object 3.
TEST_CASE("ccm: who reads the same block goes together") {
  const Snapshot snapshot = with_blocks({0, 0, 0, 0}, {0, 1, 0, 1}, {0, 0});
  const Assignment pe_of = parse_strategy("ccm:home=0.2").assign(snapshot, 1);
  CHECK(pe_of[0] == pe_of[2]);
  CHECK(pe_of[1] == pe_of[3]);
  CHECK(pe_of[0] != pe_of[1]);
}

// Each PE has the other's block, and works 2 + 0.4 s. If an object goes alone, the other reader of its block
// stays: 1 + 0.4 and 3 + 0.4. Swapped, both have 2.
TEST_CASE("ccm: blocks are swapped so that both are at home") {
  const Snapshot snapshot = with_blocks({0, 0, 1, 1}, {0, 0, 1, 1}, {1, 0});
  CHECK(parse_strategy("ccm:home=0.2").assign(snapshot, 1) == Assignment{1, 1, 0, 0});
  CHECK(parse_strategy("ccm:home=0").assign(snapshot, 1) == snapshot.objects.pe);
}

// Two objects and their block are 120 bytes, two objects with different blocks 220. With a limit of 119 one
// object goes.
TEST_CASE("ccm: a block counts once towards the memory limit") {
  Snapshot snapshot = with_blocks({0, 0, 0, 0}, {0, 1, 0, 1}, {0, 0});
  snapshot.pes.memory_bytes = {1000, 120};
  const Assignment pe_of = parse_strategy("ccm:home=0").assign(snapshot, 1);
  CHECK(held_bytes(snapshot, pe_of)[1] == 120);
  snapshot.pes.memory_bytes = {1000, 119};
  CHECK(held_bytes(snapshot, parse_strategy("ccm:home=0").assign(snapshot, 1))[1] == 110);
}

// PE 1 holds the pinned object 4 and block 0, 110 bytes, and has room for 20 more: for two readers of block
// 0, and for no object of block 1.
TEST_CASE("ccm: a block that a pinned object reads is there already") {
  Snapshot snapshot = with_blocks({0, 0, 0, 0, 1}, {1, 0, 1, 0, 0}, {0, 0});
  snapshot.objects.migratable[4] = 0;
  snapshot.objects.load[4] = 0.1;
  snapshot.pes.memory_bytes = {1000, 130};
  CHECK(parse_strategy("ccm:home=0").assign(snapshot, 1) == Assignment{0, 1, 0, 1, 1});
}

TEST_CASE("ccm: the largest work never rises, and no memory limit is passed, with blocks") {
  int improved = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const PeIndex pes = 2 + random.below(9);
    std::vector<PeIndex> pe_of, home;
    std::vector<std::uint32_t> block_of;
    for (ObjectIndex i = 0; i < 6 * pes; ++i) {
      pe_of.push_back(i / 6);
      block_of.push_back(random.below(4)   ? i / 6 * 2 + random.below(2)
                         : random.below(4) ? 2 * (i / 6)
                                           : kNoBlock);
    }
    for (PeIndex b = 0; b < 2 * pes; ++b) home.push_back(random.below(2) ? b / 2 : random.below(pes));
    Snapshot snapshot = with_blocks(pe_of, block_of, home);
    snapshot.pes = uniform_pes(pes);
    for (double& load : snapshot.objects.load) load = random.unit();
    for (std::uint8_t& each : snapshot.objects.migratable) each = random.below(8) != 0;
    const std::vector<std::uint64_t> before = held_bytes(snapshot, pe_of);
    for (const std::uint64_t held : before) snapshot.pes.memory_bytes.push_back(held + random.below(150));

    const auto work = [&](const Assignment& placed, double away_s) {
      std::vector<double> all = finish_times(snapshot, placed);
      std::vector<std::vector<bool>> has(pes, std::vector<bool>(home.size()));
      for (ObjectIndex i = 0; i < placed.size(); ++i)
        if (block_of[i] != kNoBlock) has[placed[i]][block_of[i]] = true;
      for (PeIndex pe = 0; pe < pes; ++pe)
        for (PeIndex b = 0; b < home.size(); ++b) all[pe] += has[pe][b] && home[b] != pe ? away_s : 0;
      return std::ranges::max(all);
    };
    const auto blocks = [&] {  // on PEs, each once
      std::uint64_t bytes = 0;
      for (const std::uint64_t held : before) bytes += held;
      return static_cast<double>(bytes - 10 * pe_of.size()) / 100;
    };
    const double loads = std::accumulate(snapshot.objects.load.begin(), snapshot.objects.load.end(), 0.0);
    const Assignment after = parse_strategy("ccm:target=1,home=0.5").assign(snapshot, seed);
    const double away_s = 0.5 * loads / blocks();
    CHECK(work(after, away_s) <= work(pe_of, away_s) * (1 + 1e-9));
    improved += work(after, away_s) < 0.99 * work(pe_of, away_s);
    const std::vector<std::uint64_t> held = held_bytes(snapshot, after);
    for (PeIndex pe = 0; pe < pes; ++pe) CHECK(held[pe] <= snapshot.pes.memory_bytes[pe]);
  }
  CHECK(improved > 20);
}

TEST_CASE("ccm: the largest work never rises") {
  for (const PeIndex pes : {2u, 3u, 7u, 16u}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(pes);
      CAPTURE(seed);
      Random random(seed);
      Snapshot snapshot;
      snapshot.pes = uniform_pes(pes);
      for (double& speed : snapshot.pes.speed) speed = 0.5 + random.unit();
      std::vector<CommEdge> edges;
      const ObjectIndex count = 6 * pes;
      for (ObjectIndex i = 0; i < count; ++i) {
        snapshot.add_object({.id = i,
                             .pe = random.below(pes),
                             .load = random.below(8) == 0 ? 0 : random.unit(),
                             .migratable = random.below(8) != 0});
        for (int k = 0; k < 3; ++k)
          edges.push_back(
              {i, random.below(2) ? random.below(count) : i / 6 * 6 + random.below(6), 1000 * random.unit()});
      }
      snapshot.graph = make_comm_graph(count, edges);
      double bytes = 0;
      for (ObjectIndex i = 0; i < count; ++i)
        for (std::uint64_t e = snapshot.graph.first[i]; e < snapshot.graph.first[i + 1]; ++e)
          if (snapshot.graph.to[e] != i) bytes += snapshot.graph.bytes[e];
      const auto& loads = snapshot.objects.load;
      const double all = std::accumulate(loads.begin(), loads.end(), 0.0) / bytes;
      for (const double remote : {0.0, 0.3, 3.0}) {
        Selection strategy = parse_strategy("ccm:target=1,local=0.1");
        strategy.options.set("remote", remote);
        const double before = largest_work(snapshot, snapshot.objects.pe, remote * all, 0.1 * all);
        const double after = largest_work(snapshot, strategy.assign(snapshot, seed), remote * all, 0.1 * all);
        CHECK(after <= before * (1 + 1e-9));
        if (remote > 0) CHECK(after < before);
      }
    }
  }
}
