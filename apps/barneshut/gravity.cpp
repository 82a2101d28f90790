// SPDX-License-Identifier: Apache-2.0
#include "gravity.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace barneshut {
namespace {

/// Returns the inverse of the softened distance.
double inverse_of(const Gravity& gravity, const Vec3& d) {
  return 1 / std::sqrt(dot(d, d) + gravity.softening * gravity.softening);
}

/// Adds the attraction of a mass. With d from the body to the mass and r its softened length: a = m d / r^3,
/// potential = -m / r.
void add_mass(double mass, const Vec3& d, double inverse, Attraction& sum) {
  const double potential = mass * inverse;
  sum.potential -= potential;
  sum.a += (potential * inverse * inverse) * d;
  ++sum.interactions;
}

/// Adds the next term of the expansion: potential = -(d Q d) / (2 r^5), a = -Q d / r^5 + 5/2 (d Q d) d / r^7.
void add_quadrupole(const Quadrupole& q, const Vec3& d, double inverse, Attraction& sum) {
  const double inverse2 = inverse * inverse, inverse5 = inverse2 * inverse2 * inverse;
  const Vec3 q_d = q * d;
  const double d_q_d = dot(d, q_d);
  sum.potential -= 0.5 * d_q_d * inverse5;
  sum.a -= inverse5 * q_d;
  sum.a += (2.5 * d_q_d * inverse5 * inverse2) * d;
}

void add_points(const Gravity& gravity, std::span<const Point> points, const Body& body, Attraction& sum) {
  for (const Point& point : points) {
    if (point.id == body.id) continue;
    const Vec3 d = point.x - body.x;
    add_mass(point.mass, d, inverse_of(gravity, d), sum);
  }
}

[[noreturn]] void fail(const Node& node, const Body& body) {
  throw std::logic_error("body " + std::to_string(body.id) + " needs what is in the cell of level " +
                         std::to_string(node.cell.level) + " with key " + std::to_string(node.cell.first) +
                         ", which was not sent");
}

/// Calls `whole(node, d)`, d from the body to the centre, or `leaf(node)` for each node that it interacts
/// with.
template <class Whole, class Leaf>
void walk(const Gravity& gravity, const Tree& tree, const Body& body, Whole whole, Leaf leaf) {
  for (std::size_t k = 0; k < tree.nodes.size();) {
    const Node& node = tree.nodes[k];
    const Vec3 d = node.moments.centre - body.x;
    if (node.points != 1 && gravity.accepts(node.side, dot(d, d)) && !node.cell.holds(body.key)) {
      whole(node, d);
      k += static_cast<std::size_t>(node.size);
    } else if (node.kind == Node::Kind::cell) {
      ++k;
    } else if (node.kind == Node::Kind::leaf) {
      leaf(node);
      ++k;
    } else {
      fail(node, body);
    }
  }
}

}  // namespace

Attraction attraction(const Gravity& gravity, const Tree& tree, const Body& body) {
  Attraction sum;
  const std::span points(tree.points);
  walk(
      gravity, tree, body,
      [&](const Node& node, const Vec3& d) {
        const double inverse = inverse_of(gravity, d);
        add_mass(node.moments.mass, d, inverse, sum);
        if (gravity.quadrupole) add_quadrupole(node.moments.quadrupole, d, inverse, sum);
      },
      [&](const Node& node) {
        add_points(
            gravity,
            points.subspan(static_cast<std::size_t>(node.first_point), static_cast<std::size_t>(node.points)),
            body, sum);
      });
  return sum;
}

std::vector<const Node*> interactions(const Gravity& gravity, const Tree& tree, const Body& body) {
  std::vector<const Node*> nodes;
  walk(
      gravity, tree, body, [&](const Node& node, const Vec3&) { nodes.push_back(&node); },
      [&](const Node& node) { nodes.push_back(&node); });
  return nodes;
}

}  // namespace barneshut
