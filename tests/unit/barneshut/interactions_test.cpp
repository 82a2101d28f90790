// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <ranges>

#include "apps/barneshut/piece_interactions.hpp"
#include "apps/barneshut/scenario.hpp"

using namespace barneshut;

namespace {

struct Sphere {
  Sphere() {
    parameters.bodies = 2000;
    parameters.pieces = 40;
    bodies = initial_bodies(parameters);
    pieces = initial_pieces(parameters, bodies);
    tree = tree_of(parameters.rules, {}, bodies);
  }
  std::ptrdiff_t leaves_in(const Octant& piece) const {
    return std::ranges::count_if(tree.nodes, [&](const Node& node) {
      return node.kind == Node::Kind::leaf && piece.holds(node.cell.first) && node.cell.level >= piece.level;
    });
  }
  Parameters parameters;
  std::vector<Body> bodies;
  std::vector<Octant> pieces;
  Tree tree;
};

}  // namespace

TEST_CASE("interactions: the nodes account for each interaction that attraction counts") {
  const Sphere sphere;
  for (const double theta : {0.0, 0.4, 0.9}) {
    const Gravity gravity{theta, 0.01, true};
    for (std::size_t k = 0; k < sphere.bodies.size(); k += 97) {
      const Body& body = sphere.bodies[k];
      std::uint64_t counted = 0;
      for (const Node* const node : interactions(gravity, sphere.tree, body)) {
        const Vec3 d = node->moments.centre - body.x;
        const bool holds = node->cell.holds(body.key);
        const bool whole = node->points != 1 && gravity.accepts(node->side, dot(d, d)) && !holds;
        counted += whole ? 1 : static_cast<std::uint64_t>(node->points) - (holds ? 1 : 0);
      }
      CHECK(counted == attraction(gravity, sphere.tree, body).interactions);
    }
  }
}

TEST_CASE("sampled interactions: without cells that count as a whole, all leaves of all other pieces") {
  const Sphere sphere;
  for (const std::size_t from : {std::size_t{0}, sphere.pieces.size() / 2}) {
    std::vector<PieceInteraction> expected;
    for (std::size_t with = 0; with < sphere.pieces.size(); ++with)
      if (const std::ptrdiff_t leaves = sphere.leaves_in(sphere.pieces[with]); with != from && leaves > 0)
        expected.push_back({static_cast<std::int64_t>(from), static_cast<std::int64_t>(with), leaves});
    const auto bodies = bodies_of(sphere.bodies, sphere.pieces[from]);
    const auto found = sampled_interactions({0, 0.01, true}, sphere.tree, sphere.pieces, from, bodies);
    CHECK(found == (bodies.empty() ? std::vector<PieceInteraction>() : expected));
  }
}

TEST_CASE("sampled interactions: the wider cells open, the fewer pieces are near enough to matter") {
  const Sphere sphere;
  const auto pairs = [&](double theta) {
    std::size_t sum = 0;
    for (std::size_t from = 0; from < sphere.pieces.size(); ++from)
      sum += sampled_interactions({theta, 0.01, true}, sphere.tree, sphere.pieces, from,
                                  bodies_of(sphere.bodies, sphere.pieces[from]))
                 .size();
    return sum;
  };
  CHECK(pairs(1.2) < pairs(0.5));
  CHECK(pairs(1.2) > 0);
}
