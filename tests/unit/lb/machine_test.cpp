// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/machine.hpp"

#include <doctest/doctest.h>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;

// Root 0 over nodes 1 and 2; below node 1 the domains 3 and 4. PEs 0, 1 at domain 3, PE 2 at 4, PE 3 at
// node 2.
TEST_CASE("machine: PEs meet at the lowest vertex above both, and pay its cost") {
  Snapshot snapshot = test::make_snapshot(4, {}, {});
  snapshot.pes.node = {0, 0, 0, 1};
  snapshot.topology.parent = {0, 0, 0, 1, 1};
  snapshot.topology.vertex_of_pe = {3, 3, 4, 2};
  snapshot.topology.latency_s = {5, 4, 3, 2, 1};
  snapshot.topology.byte_s = {50, 40, 30, 20, 10};
  snapshot.validate();
  const Machine machine(snapshot);
  CHECK(machine.meeting(0, 1) == 3);
  CHECK(machine.meeting(0, 2) == 1);
  CHECK(machine.meeting(2, 3) == 0);
  CHECK(machine.between(0, 2).latency_s == 4);
  CHECK(machine.between(1, 3).byte_s == 50);
}

TEST_CASE(
    "machine: without a topology, nodes are two levels; a network costs more than memory, memory than a "
    "copy") {
  Snapshot snapshot = test::make_snapshot(4, {}, {});
  snapshot.pes.node = {9, 5, 9, 5};
  const Machine machine(snapshot);
  CHECK(machine.meeting(0, 2) == machine.tree().vertex_of_pe[0]);
  CHECK(machine.meeting(0, 1) == 0);
  CHECK(machine.between(0, 1).latency_s > machine.between(0, 2).latency_s);
  CHECK(machine.between(0, 2).latency_s > machine.between(0, 0).latency_s);
  CHECK(machine.between(0, 1).byte_s > machine.between(0, 2).byte_s);
}

TEST_CASE("machine: of one node the root is memory") {
  const Machine machine(test::make_snapshot(3, {}, {}));
  Snapshot two_nodes = test::make_snapshot(2, {}, {});
  two_nodes.pes.node = {0, 1};
  CHECK(machine.between(0, 1).latency_s < Machine(two_nodes).between(0, 1).latency_s);
}
