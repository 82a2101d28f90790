// SPDX-License-Identifier: Apache-2.0
#include "apps/barneshut/piece.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "apps/barneshut/scenario.hpp"

using namespace barneshut;

namespace {

bool are_alike(const Node& a, const Node& b) {
  return a.cell == b.cell && std::memcmp(&a.moments, &b.moments, sizeof a.moments) == 0 && a.side == b.side &&
         a.kind == b.kind && a.size == b.size && a.points == b.points &&
         (a.points == 0 || a.first_point == b.first_point);
}

bool are_alike(const Tree& a, const Tree& b) {
  if (a.nodes.size() != b.nodes.size() || a.points.size() != b.points.size()) return false;
  for (std::size_t k = 0; k < a.nodes.size(); ++k)
    if (!are_alike(a.nodes[k], b.nodes[k])) return false;
  for (std::size_t k = 0; k < a.points.size(); ++k)
    if (a.points[k].id != b.points[k].id) return false;
  return true;
}

/// Two clusters of bodies, cut into pieces, with all trees of the pieces.
struct Cut {
  explicit Cut(int pieces) {
    parameters.scenario = Scenario::collision;
    parameters.bodies = 3000;
    parameters.pieces = pieces;
    bodies = initial_bodies(parameters);
    cells = initial_pieces(parameters, bodies);
    for (const Octant& cell : cells) {
      trees.push_back(tree_of(parameters.rules, cell, bodies_of(bodies, cell)));
      add_head(heads, parameters.rules, cell, bodies_of(bodies, cell), trees.back());
    }
  }
  Parameters parameters;
  std::vector<Body> bodies;
  std::vector<Octant> cells;
  std::vector<Tree> trees;
  Heads heads;
};

}  // namespace

TEST_CASE("moments: two masses have the quadrupole that Hernquist's definition says") {
  const Moments parts[] = {{1, {0, 0, 0}, {}}, {3, {4, 0, 0}, {}}};
  const Moments both = joined(2, [&](int k) { return parts[k]; });
  CHECK(both.mass == 4);
  CHECK(both.centre.x == 3);
  // m (3 x^2 - x^2) with x = -3 and 1: 1 * 18 + 3 * 2; -m x^2 across.
  CHECK(both.quadrupole.xx == 24);
  CHECK(both.quadrupole.yy == -12);
  CHECK(both.quadrupole.zz == -12);
  CHECK(both.quadrupole.xy == 0);
}

TEST_CASE("pieces: fill the root, each with no more work than asked for") {
  const Cut cut(150);
  std::uint64_t next = 0;
  std::size_t bodies = 0;
  for (const Octant& cell : cut.cells) {
    CHECK(cell.first == next);
    next = cell.end();
    bodies += bodies_of(cut.bodies, cell).size();
    CHECK(bodies_of(cut.bodies, cell).size() <= 3000 / 150);
  }
  CHECK(next == Octant{}.end());
  CHECK(bodies == 3000);
  for (const Body& body : cut.bodies) CHECK(cut.cells[piece_of(cut.cells, body.key)].holds(body.key));
}

TEST_CASE("whole_tree: is bitwise the tree of all bodies, however they are cut in pieces") {
  const Cut one(1);
  const Tree all = tree_of(one.parameters.rules, {}, one.bodies);
  CHECK(all.nodes.front().size == std::ssize(all.nodes));
  CHECK(all.points.size() == 3000);
  for (const int pieces : {1, 8, 150, 3000}) {
    const Cut cut(pieces);
    const Tree whole =
        whole_tree(cut.parameters.rules, cut.heads, [&](std::size_t k) { return &cut.trees[k]; });
    CHECK(are_alike(all, whole));
  }
}

TEST_CASE("essential: bodies in the boxes feel what they feel of everything, bitwise") {
  const Cut cut(150);
  const Tree all = tree_of(cut.parameters.rules, {}, cut.bodies);
  std::size_t sent = 0;
  for (const double theta : {0.3, 0.7, 1.2}) {
    const Gravity gravity{theta, 0.01, true};
    for (std::size_t mine = 0; mine < cut.cells.size(); mine += 7) {
      const auto bodies = bodies_of(cut.bodies, cut.cells[mine]);
      if (bodies.empty()) continue;
      const Box box = cut.heads.pieces[mine].box;
      std::vector<Tree> known(cut.cells.size());
      for (std::size_t k = 0; k < cut.cells.size(); ++k) {
        if (k == mine) known[k] = cut.trees[k];
        if (k == mine || !needs_more(gravity, box, cut.heads.pieces[k])) continue;
        known[k] = essential(gravity, cut.trees[k], {&box, 1});
        sent += known[k].points.size();
      }
      const Tree seen = whole_tree(cut.parameters.rules, cut.heads, [&](std::size_t k) {
        return known[k].nodes.empty() ? nullptr : &known[k];
      });
      if (theta > 0.5) CHECK(seen.nodes.size() < all.nodes.size());
      for (const Body& body : bodies) {
        const Attraction expected = attraction(gravity, all, body), found = attraction(gravity, seen, body);
        CHECK(std::memcmp(&expected, &found, sizeof found) == 0);
      }
    }
  }
  CHECK(sent > 0);
}

TEST_CASE("attraction: a cell that was not sent is told, and not passed over") {
  const Cut cut(150);
  const Tree heads_only = whole_tree(cut.parameters.rules, cut.heads, [](std::size_t) { return nullptr; });
  CHECK_THROWS_WITH_AS(attraction({0.1, 0.01, true}, heads_only, cut.bodies[1500]),
                       doctest::Contains("which was not sent"), std::logic_error);
}

TEST_CASE("attraction: of one mass and of a far pair, by hand") {
  Parameters parameters;
  parameters.rules.root.half_side = 16;
  parameters.rules.leaf = 8;
  std::vector<Body> bodies(3);
  bodies[0].x = {-8, 0, 0}, bodies[1].x = {8, 1, 0}, bodies[2].x = {8, -1, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    bodies[k].id = k;
    bodies[k].mass = 1;
    locate(parameters.rules.root, bodies[k]);
  }
  std::ranges::sort(bodies, in_key_order);
  const Tree leaf = tree_of(parameters.rules, {}, bodies);
  REQUIRE(leaf.nodes.size() == 1);
  const Attraction direct = attraction({0, 3, false}, leaf, bodies[0]);
  // Two masses at (16, +-1, 0) with softening 3: r^2 = 257 + 9.
  const double r = std::sqrt(266.0);
  CHECK(direct.potential == doctest::Approx(-2 / r).epsilon(1e-14));
  CHECK(direct.a.x == doctest::Approx(32 / (r * r * r)).epsilon(1e-14));
  CHECK(std::abs(direct.a.y) < 1e-16);
  CHECK(direct.interactions == 2);

  // As one cell: -2 / 16 - Qxx x^2 / (2 16^5), Qxx = 2 (0 - 1) = -2.
  Node pair = leaf_of(parameters.rules, {}, leaf.points, 0);
  const Moments two[] = {{1, {8, 1, 0}, {}}, {1, {8, -1, 0}, {}}};
  pair.moments = joined(2, [&](int k) { return two[k]; });
  pair.cell = Octant{}.child(4);
  pair.side = 1;
  pair.kind = Node::Kind::closed;
  const Tree far{{pair}, {}};
  const Attraction mono = attraction({0.5, 0, false}, far, bodies[0]);
  const Attraction quad = attraction({0.5, 0, true}, far, bodies[0]);
  CHECK(mono.potential == doctest::Approx(-2.0 / 16).epsilon(1e-14));
  CHECK(mono.a.x == doctest::Approx(2.0 / 256).epsilon(1e-14));
  CHECK(quad.potential == doctest::Approx(-2.0 / 16 + 256.0 / 1048576).epsilon(1e-14));
  // The derivative of 2 / d - 1 / d^3 by d, with its sign: 2 / d^2 - 3 / d^4.
  CHECK(quad.a.x == doctest::Approx(2.0 / 256 - 3.0 / 65536).epsilon(1e-14));
  CHECK(quad.interactions == 1);
}
