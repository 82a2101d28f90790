// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "apps/common/mixed.hpp"
#include "slip_system.hpp"

namespace dislocations {
namespace {

/// Pseudo-random numbers from 0 to 1, equal on all machines.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(apps::mixed(seed + 1)) {}
  double operator()() { return static_cast<double>(apps::mixed(++state_) >> 11) * 0x1p-53; }
  Vec3 in_cube() {
    const double x = (*this)(), y = (*this)(), z = (*this)();
    return {x, y, z};
  }
  /// Returns a nearly normal vector, of standard deviation 1 along each axis: the sum of twelve.
  Vec3 around() {
    Vec3 sum{-6, -6, -6};
    for (int k = 0; k < 12; ++k) sum += in_cube();
    return sum;
  }

 private:
  std::uint64_t state_;
};

void add_line(const Parameters& parameters, const Vec3& middle, std::int32_t system, double angle,
              double line_length, std::vector<Node>& nodes) {
  const SlipSystem& slip = slip_system(system);
  const Vec3 along = std::cos(angle) * slip.burgers + std::sin(angle) * cross(slip.normal, slip.burgers);
  const int segments = static_cast<int>(std::ceil(line_length / parameters.longest));
  const NodeId first = nodes.size() + 1;
  for (int k = 0; k <= segments; ++k) {
    Node node;
    node.id = node.parent = first + static_cast<NodeId>(k);
    node.x = parameters.box.wrapped(middle + (k * line_length / segments - 0.5 * line_length) * along);
    node.system = system;
    node.pinned = k == 0 || k == segments;
    nodes.push_back(node);
  }
  for (std::size_t at = static_cast<std::size_t>(first); at < nodes.size(); ++at) {
    nodes[at - 1].next = {nodes[at].id, nodes[at].x, 0};
    nodes[at].previous = {nodes[at - 1].id, nodes[at - 1].x, 0};
  }
}

}  // namespace

std::vector<Node> initial_nodes(const Parameters& parameters) {
  std::vector<Node> nodes;
  const double side = parameters.box.side;
  if (parameters.scenario == Scenario::frank_read) {
    add_line(parameters, 0.5 * side * Vec3{1, 1, 1}, 0, parameters.character * std::numbers::pi / 180,
             parameters.length, nodes);
    return nodes;
  }
  Random random(parameters.seed);
  std::array<Vec3, 6> places;
  for (Vec3& place : places) place = side * (Vec3{0.2, 0.2, 0.2} + 0.6 * random.in_cube());
  for (std::int32_t k = 0; k < parameters.sources; ++k) {
    const Vec3 middle = places[static_cast<std::size_t>(k) % places.size()] + 0.1 * side * random.around();
    const auto system = static_cast<std::int32_t>(random() * slip_system_count);
    const double angle = 2 * std::numbers::pi * random();
    add_line(parameters, middle, system, angle, (0.5 + random()) * parameters.length, nodes);
  }
  return nodes;
}

}  // namespace dislocations
