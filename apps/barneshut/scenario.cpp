// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "apps/common/mixed.hpp"

namespace barneshut {
namespace {

/// Random numbers of one body, which do not depend on the process that draws them.
class Draws {
 public:
  Draws(std::uint32_t seed, std::uint64_t body)
      : state_(apps::mixed(apps::mixed(seed + std::uint64_t{1}) + body + 1)) {}

  /// Returns a number strictly between 0 and 1.
  double next() {
    state_ += 0x9e3779b97f4a7c15u;
    return (static_cast<double>(apps::mixed(state_) >> 12) + 0.5) * 0x1p-52;
  }
  Vec3 direction() {
    const double z = 2 * next() - 1, angle = 2 * std::numbers::pi * next(), across = std::sqrt(1 - z * z);
    return {across * std::cos(angle), across * std::sin(angle), z};
  }

 private:
  std::uint64_t state_;
};

/// Draws the fraction of the escape velocity: from the density q^2 (1 - q^2)^(7/2), whose maximum is below
/// 0.1.
double share_of_escape(Draws& draws) {
  for (;;) {
    const double q = draws.next(), height = 0.1 * draws.next();
    if (height < q * q * std::pow(1 - q * q, 3.5)) return q;
  }
}

constexpr double scale_length = 3 * std::numbers::pi / 16;

/// Returns the number of bodies of the first sphere; each sphere has at least one.
std::size_t bodies_of_first(std::size_t count, double ratio) {
  const double share = std::round(static_cast<double>(count) * ratio / (1 + ratio));
  return std::clamp(static_cast<std::size_t>(share), std::size_t{1}, count - 1);
}

/// Draws a body of a sphere of this mass and scale length.
Body plummer_body(Draws draws, double sphere_mass, double scale) {
  const double inside = 0.999 * draws.next();
  const double r = 1 / std::sqrt(std::pow(inside, -2.0 / 3) - 1);
  Body body;
  body.x = (r * scale) * draws.direction();
  const double escape = std::sqrt(2 * sphere_mass / scale) / std::pow(1 + r * r, 0.25);
  body.v = (share_of_escape(draws) * escape) * draws.direction();
  return body;
}

/// Subtracts the centre of mass and its velocity from bodies of equal masses.
void set_at_rest(std::span<Body> bodies) {
  Vec3 x, v;
  for (const Body& body : bodies) x += body.x, v += body.v;
  const double each = 1 / static_cast<double>(bodies.size());
  for (Body& body : bodies) body.x -= each * x, body.v -= each * v;
}

void shift(std::span<Body> bodies, const Vec3& x, const Vec3& v) {
  for (Body& body : bodies) body.x += x, body.v += v;
}

/// Sets two masses, 1 together, on a parabola of this pericentre: their velocity is sqrt(2 / distance), their
/// angular momentum for each unit of reduced mass sqrt(2 pericentre).
void set_on_parabola(std::span<Body> first, std::span<Body> second, double distance, double pericentre) {
  const double across = std::sqrt(2 * pericentre) / distance;
  const double along = std::sqrt(std::max(2 / distance - across * across, 0.0));
  const Vec3 x{distance, 0, 0}, v{-along, across, 0};
  const double first_mass =
      static_cast<double>(first.size()) / static_cast<double>(first.size() + second.size());
  shift(first, (first_mass - 1) * x, (first_mass - 1) * v);
  shift(second, first_mass * x, first_mass * v);
}

double root_around(std::span<const Body> bodies) {
  double farthest = 0;
  for (const Body& body : bodies)
    for (int axis = 0; axis < 3; ++axis) farthest = std::max(farthest, std::abs(body.x[axis]));
  return std::exp2(std::ceil(std::log2(4 * farthest)));
}

}  // namespace

std::vector<Body> initial_bodies(Parameters& parameters) {
  const auto count = static_cast<std::size_t>(parameters.bodies);
  const bool two = parameters.scenario == Scenario::collision;
  const std::size_t first_count = two ? bodies_of_first(count, parameters.ratio) : count;
  std::vector<Body> bodies(count);
  const double mass = 1 / static_cast<double>(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t in_sphere = k < first_count ? first_count : count - first_count;
    bodies[k] = plummer_body(Draws(parameters.seed, k), mass * static_cast<double>(in_sphere), scale_length);
    bodies[k].id = k;
    bodies[k].mass = mass;
  }
  const auto first = std::span(bodies).first(first_count), second = std::span(bodies).subspan(first_count);
  set_at_rest(first);
  if (two) {
    set_at_rest(second);
    set_on_parabola(first, second, parameters.distance, parameters.pericentre);
  }
  Root& root = parameters.rules.root;
  if (root.half_side == 0) root.half_side = root_around(bodies);
  for (Body& body : bodies) locate(root, body);
  std::ranges::sort(bodies, in_key_order);
  return bodies;
}

std::vector<Octant> initial_pieces(const Parameters& parameters, const std::vector<Body>& bodies) {
  std::vector<Octant> pieces;
  cut(parameters.rules, {}, bodies, bodies.size() / static_cast<std::size_t>(parameters.pieces), pieces);
  return pieces;
}

void locate(const Root& root, Body& body) {
  if (!root.holds(body.x))
    throw std::runtime_error("body " + std::to_string(body.id) + " is at " + std::to_string(body.x.x) + ", " +
                             std::to_string(body.x.y) + ", " + std::to_string(body.x.z) +
                             ", outside of the root cell, whose sides are at " +
                             std::to_string(root.half_side) +
                             ": use a larger --root, or, if bodies are thrown out by encounters, a smaller "
                             "--time-step or a larger --softening");
  body.key = root.key_of(body.x);
}

}  // namespace barneshut
