// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "lb/kernel/nearest_pe.hpp"
#include "lb/kernel/random.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

// Two domains of two PEs each; a message takes 1 s inside a domain and 3 s between them.
Snapshot make_domains(const std::vector<double>& loads, const std::vector<PeIndex>& pe) {
  Snapshot snapshot = test::make_snapshot(4, loads, pe);
  snapshot.topology.parent = {0, 0, 0};
  snapshot.topology.vertex_of_pe = {1, 1, 2, 2};
  snapshot.topology.latency_s = {3, 1, 1};
  snapshot.topology.byte_s = {0, 0, 0};
  return snapshot;
}

}  // namespace

// Object 0 (load 8) is pinned on PE 2. Object 1 (load 1, now on PE 0) gets two messages from it: in domain 2
// that is worth -2 x 1, in domain 1 it costs 2 x 3. PE 0: 0 + 1 + 6 = 7, PE 2: 8 + 1 - 2 = 7, PE 3: 0 + 1 - 2
// = -1.
TEST_CASE("nuco: joins the domain of its partner, on the PE with room") {
  Snapshot snapshot = make_domains({8, 1}, {2, 0});
  snapshot.objects.migratable[0] = 0;
  snapshot.graph = make_comm_graph(2, std::vector<CommEdge>{{0, 1, 10, 2}});
  CHECK(parse_strategy("nuco").assign(snapshot, 1) == Assignment{2, 3});
}

// PE 3 is busy for b seconds: in domain 2 object 1 would finish there at b + 1, worth b + 1 - 2; on PE 0 the
// cost is 7. So it goes to PE 3 for b = 7 (cost 6) and stays for b = 9 (8 against 7; PE 2 costs 7 as well,
// and the first counts). Without weight for communication it always takes the PE that finishes first.
TEST_CASE("nuco: load and distance are weighed against each other") {
  Snapshot snapshot = make_domains({8, 1}, {2, 0});
  snapshot.objects.migratable[0] = 0;
  snapshot.graph = make_comm_graph(2, std::vector<CommEdge>{{0, 1, 10, 2}});
  snapshot.pes.background_s = {0, 0, 0, 7};
  CHECK(parse_strategy("nuco").assign(snapshot, 1)[1] == 3);
  snapshot.pes.background_s[3] = 9;
  CHECK(parse_strategy("nuco").assign(snapshot, 1)[1] == 0);
  snapshot.pes.background_s = {1, 0, 0, 0};
  CHECK(parse_strategy("nuco:alpha=0").assign(snapshot, 1)[1] == 1);
}

// Compares with a search of every PE, on random trees all of whose vertices may have PEs. There are few
// different finish times, so that ties occur, and at most three speeds, as the search is inexact with many.
TEST_CASE("nearest PE: the least of all PEs, found without looking at all") {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    Snapshot snapshot;
    const std::size_t pes = 1 + random.below(40), vertices = 1 + random.below(12);
    snapshot.pes = uniform_pes(pes);
    for (std::uint32_t v = 0; v < vertices; ++v) {
      snapshot.topology.parent.push_back(v == 0 ? 0 : random.below(v));
      snapshot.topology.latency_s.push_back(static_cast<float>(random.below(4)));
      snapshot.topology.byte_s.push_back(0);
    }
    std::vector<double> finish;
    for (std::size_t p = 0; p < pes; ++p) {
      snapshot.topology.vertex_of_pe.push_back(random.below(static_cast<std::uint32_t>(vertices)));
      snapshot.pes.speed[p] = 1 << random.below(3);
      finish.push_back(random.below(20));
    }
    const Machine machine(snapshot);
    NearestPe nearest(machine, snapshot.pes, finish);
    for (int search = 0; search < 20; ++search) {
      const PeIndex changed = random.below(static_cast<std::uint32_t>(pes));
      finish[changed] = random.below(20);
      nearest.set_finish(changed, finish[changed]);
      std::vector<NearestPe::Partner> partners;
      for (std::uint32_t k = random.below(5); k > 0; --k)
        partners.push_back({random.below(static_cast<std::uint32_t>(pes)), 1.0 + random.below(3)});
      const double load = random.below(8);
      const auto cost = [&](PeIndex p) {
        double sum = finish[p] + load / snapshot.pes.speed[p];
        for (const NearestPe::Partner& partner : partners) {
          const std::uint32_t meeting = machine.meeting(p, partner.pe);
          const bool own = machine.tree().vertex_of_pe[p] == machine.tree().vertex_of_pe[partner.pe];
          sum += (own ? -1 : 1) * partner.weight * machine.at(meeting).latency_s;
        }
        return sum;
      };
      double least = std::numeric_limits<double>::infinity();
      for (PeIndex p = 0; p < pes; ++p) least = std::min(least, cost(p));
      CHECK(cost(nearest.best(load, partners)) == doctest::Approx(least));
    }
  }
}

TEST_CASE("range min: the first of the least keys of a range") {
  Random random(6);
  for (std::size_t size : {1, 2, 5, 8, 13}) {
    RangeMin tree(size);
    std::vector<double> keys(size, std::numeric_limits<double>::infinity());
    for (int round = 0; round < 200; ++round) {
      const std::uint32_t changed = random.below(static_cast<std::uint32_t>(size));
      tree.set(changed, keys[changed] = random.below(6));
      const std::size_t begin = random.below(static_cast<std::uint32_t>(size));
      const std::size_t end = begin + 1 + random.below(static_cast<std::uint32_t>(size - begin));
      const auto first = std::min_element(keys.begin() + begin, keys.begin() + end);
      const auto [at, key] = tree.least(begin, end);
      CHECK(at == static_cast<std::size_t>(first - keys.begin()));
      CHECK(key == *first);
    }
  }
}
