// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "apps/dislocations/crystal.hpp"
#include "apps/dislocations/scenario.hpp"
#include "apps/dislocations/slip_system.hpp"

using namespace dislocations;

namespace {

/// Returns a place in the first system's plane through the middle of the box.
Vec3 in_plane(const Box& box, double along, double across) {
  const SlipSystem& slip = slip_system(0);
  return box.wrapped(0.5 * box.side * Vec3{1, 1, 1} + along * slip.burgers +
                     across * cross(slip.normal, slip.burgers));
}

/// Adds a closed line with these corners; its nodes have ids from `first` on.
void add_loop(const Box& box, NodeId first, const std::vector<std::array<double, 2>>& corners,
              std::vector<Node>& nodes) {
  const std::size_t count = corners.size();
  const auto link = [&](std::size_t k) {
    return Link{first + k % count, in_plane(box, corners[k % count][0], corners[k % count][1]), 0};
  };
  for (std::size_t k = 0; k < count; ++k) {
    Node node;
    node.id = node.parent = first + k;
    node.x = link(k).x;
    node.next = link(k + 1);
    node.previous = link(k + count - 1);
    nodes.push_back(node);
  }
}

/// Returns true if each node's neighbours exist, link back to it, and are at the right place.
bool is_linked(const std::map<NodeId, Node>& nodes) {
  for (const auto& [id, node] : nodes) {
    if (node.next.id != 0) {
      const auto next = nodes.find(node.next.id);
      if (next == nodes.end() || next->second.previous.id != id || !(next->second.x == node.next.x))
        return false;
    }
    if (node.previous.id != 0) {
      const auto previous = nodes.find(node.previous.id);
      if (previous == nodes.end() || previous->second.next.id != id ||
          !(previous->second.x == node.previous.x))
        return false;
    }
    if (!node.pinned && (node.next.id == 0 || node.previous.id == 0)) return false;
  }
  return true;
}

int lines(const std::map<NodeId, Node>& nodes) {
  std::map<NodeId, bool> seen;
  int count = 0;
  for (const auto& [id, node] : nodes) {
    if (seen[id]) continue;
    ++count;
    for (NodeId at = id; at != 0 && !seen[at]; at = nodes.at(at).next.id) seen[at] = true;
    for (NodeId at = node.previous.id; at != 0 && !seen[at]; at = nodes.at(at).previous.id) seen[at] = true;
  }
  return count;
}

/// Returns parameters without forces, so that only the rules for lines change them.
Parameters still() {
  Parameters parameters;
  parameters.mobility = 1e-12;
  parameters.tension = 0;
  return parameters;
}

}  // namespace

TEST_CASE("topology: long segments are cut, and at short ones nodes go") {
  Parameters parameters = still();
  std::vector<Node> nodes;
  add_loop(parameters.box, 1, {{0, 0}, {100, 0}, {100, 100}, {50, 100}, {45, 100}, {40, 100}, {0, 100}},
           nodes);
  Crystal crystal(parameters, nodes);
  for (int k = 0; k < 20; ++k) crystal.step();
  CHECK(is_linked(crystal.nodes()));
  CHECK(lines(crystal.nodes()) == 1);
  for (const auto& [id, node] : crystal.nodes()) {
    const double line = norm(node.next.x - node.x);
    CHECK(line <= parameters.longest);
    CHECK(line >= parameters.shortest);
  }
}

TEST_CASE("topology: two loops that touch become one, also across the border of the box") {
  for (const double at : {0.0, 0.5}) {  // in the middle, and where the plane leaves the box
    Parameters parameters = still();
    const double along = at * parameters.box.side * std::sqrt(2.0);
    std::vector<Node> nodes;
    add_loop(parameters.box, 1, {{along + 0, 0}, {along + 55, 0}, {along + 55, 50}, {along + 0, 50}}, nodes);
    add_loop(parameters.box, 11, {{along + 60, 2}, {along + 115, 2}, {along + 115, 52}, {along + 60, 52}},
             nodes);
    Crystal crystal(parameters, nodes);
    CHECK(lines(crystal.nodes()) == 2);
    crystal.step();
    CHECK(is_linked(crystal.nodes()));
    CHECK(lines(crystal.nodes()) == 1);
  }
}

TEST_CASE("topology: loops of other systems, of other planes or of the same sense do not") {
  const Parameters parameters = still();
  std::vector<Node> first, other_system, other_plane, inside;
  add_loop(parameters.box, 1, {{0, 0}, {55, 0}, {55, 50}, {0, 50}}, first);
  add_loop(parameters.box, 11, {{58, 2}, {113, 2}, {113, 52}, {58, 52}}, other_system);
  other_plane = other_system;
  for (Node& node : other_system) node.system = 1;
  const Vec3 up = slip_system(0).normal;
  for (Node& node : other_plane) {
    node.x += up;
    node.next.x += up;
    node.previous.x += up;
  }
  add_loop(parameters.box, 11, {{4, 4}, {51, 4}, {51, 46}, {4, 46}}, inside);
  for (const std::vector<Node>& second : {other_system, other_plane, inside}) {
    std::vector<Node> nodes = first;
    nodes.insert(nodes.end(), second.begin(), second.end());
    Crystal crystal(parameters, nodes);
    crystal.step();
    CHECK(is_linked(crystal.nodes()));
    CHECK(lines(crystal.nodes()) == 2);
  }
}

TEST_CASE("topology: a loop that nothing holds shrinks and is gone") {
  Parameters parameters;
  parameters.tension = 0;
  std::vector<Node> nodes;
  add_loop(parameters.box, 1, {{0, 0}, {50, 0}, {50, 50}, {0, 50}}, nodes);
  Crystal crystal(parameters, nodes);
  for (int k = 0; k < 2000 && !crystal.nodes().empty(); ++k) crystal.step();
  CHECK(crystal.nodes().empty());
}

TEST_CASE("topology: a source emits a loop and is a line between its ends again") {
  Parameters parameters;
  parameters.scenario = Scenario::frank_read;
  parameters.tension = 0;
  parameters.shear = 0.012;
  Crystal crystal(parameters);
  CHECK(lines(crystal.nodes()) == 1);
  int steps = 0;
  while (lines(crystal.nodes()) == 1 && ++steps < 2500) {
    crystal.step();
    REQUIRE(is_linked(crystal.nodes()));
  }
  for (int k = 0; k < 100; ++k) crystal.step();  // small loops between the two lines have vanished then
  CHECK(lines(crystal.nodes()) == 2);
  NodeId at = 1;
  for (std::size_t k = 0; k < crystal.nodes().size() && crystal.nodes().at(at).next.id != 0; ++k)
    at = crystal.nodes().at(at).next.id;
  CHECK(at != 1);
  CHECK(crystal.nodes().at(at).pinned);
}
