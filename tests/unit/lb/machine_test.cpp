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

// Machine, node, domain, cache: nodes 7 and 8; node 7 has the domains 0 and 1 with one cache each, which add
// nothing; node 8 one domain with the caches 0 and 1, of which the domain adds nothing.
TEST_CASE("make_topology: a tree of the parts that divide something") {
  const auto way = [](std::uint64_t node, std::uint64_t domain, std::uint64_t cache) {
    return std::vector<Domain>{{0, 4, 40}, {node, 3, 30}, {domain, 2, 20}, {cache, 1, 10}};
  };
  const std::vector<std::vector<Domain>> ways{way(7, 0, 5), way(8, 0, 0), way(7, 0, 5), way(7, 1, 5),
                                              way(8, 0, 1)};
  const Topology topology = make_topology(ways);
  // In the order of the PEs: machine, node 7, its first cache, node 8 for its domain, that domain's cache,
  // ...
  CHECK(topology.parent == std::vector<std::uint32_t>{0, 0, 1, 0, 3, 1, 3});
  CHECK(topology.vertex_of_pe == std::vector<std::uint32_t>{2, 4, 2, 5, 6});
  CHECK(topology.latency_s == std::vector<float>{4, 3, 1, 2, 1, 1, 1});
}

TEST_CASE("make_topology: a machine of one part, and PEs that stand at several levels") {
  const std::vector<std::vector<Domain>> one{{{0, 4, 40}, {1, 3, 30}}, {{0, 4, 40}, {1, 3, 30}}};
  CHECK(make_topology(one).parent == std::vector<std::uint32_t>{0});
  CHECK(make_topology(one).latency_s == std::vector<float>{3});
  // PE 1 is bound to no domain in particular.
  const std::vector<std::vector<Domain>> mixed{{{0, 4, 40}, {1, 3, 30}}, {{0, 4, 40}}};
  CHECK(make_topology(mixed).parent == std::vector<std::uint32_t>{0, 0});
  CHECK(make_topology(mixed).vertex_of_pe == std::vector<std::uint32_t>{1, 0});
  CHECK(make_topology({}).parent.empty());
}
