// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"
#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

namespace {

// Two domains of two PEs each, 1 s for a message inside and 3 s between.
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

// Now PE 3 is busy for b seconds: in domain 2 object 1 would finish at b + 1 there, worth b + 1 - 2; on PE 0
// the cost is
// 7. So it goes to PE 3 for b = 7 (cost 6) and stays for b = 9 (8 against 7, PE 2 costing 7 as well: the
// first counts). Without weight for communication it always takes the PE that finishes first.
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
