// SPDX-License-Identifier: Apache-2.0
#include "totals.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include "apps/common/mixed.hpp"

namespace barneshut {
namespace {

std::uint64_t fingerprint_of(const Body& body) {
  std::uint64_t hash = apps::mixed(body.id + 1);
  for (const Vec3& vector : {body.x, body.v, body.a})
    for (int axis = 0; axis < 3; ++axis)
      hash = apps::mixed(hash + std::bit_cast<std::uint64_t>(vector[axis]));
  return hash;
}

std::ostream& operator<<(std::ostream& out, const Vec3& v) { return out << v.x << ' ' << v.y << ' ' << v.z; }

}  // namespace

void Totals::add(const Body& body) {
  kinetic += 0.5 * body.mass * dot(body.v, body.v);
  potential += 0.5 * body.mass * body.potential;
  momentum_x += body.mass * body.v.x;
  momentum_y += body.mass * body.v.y;
  momentum_z += body.mass * body.v.z;
  ++bodies;
  interactions += body.interactions;
  fingerprint += fingerprint_of(body);
}

Totals& Totals::operator+=(const Totals& other) {
  kinetic += other.kinetic;
  potential += other.potential;
  momentum_x += other.momentum_x;
  momentum_y += other.momentum_y;
  momentum_z += other.momentum_z;
  bodies += other.bodies;
  interactions += other.interactions;
  fingerprint += other.fingerprint;
  return *this;
}

Totals totals_of(std::span<const Body> bodies) {
  Totals totals;
  for (const Body& body : bodies) totals.add(body);
  return totals;
}

void Report::begin() {
  std::printf(
      "    step      time       kinetic     potential        energy   2T/|W| interactions/body   ms/step\n");
  started_ = Clock::now();
}

void Report::interval(int step, const Totals& totals) {
  const double kinetic = totals.kinetic.value(), potential = totals.potential.value();
  if (step == 0) first_energy_ = totals.energy();
  largest_error_ = std::max(largest_error_, std::abs(totals.energy() - first_energy_));
  std::printf("%8d %9.3f %13.9f %13.9f %13.9f %8.5f %17.1f", step, step * parameters_.time_step, kinetic,
              potential, totals.energy(), 2 * kinetic / std::abs(potential),
              static_cast<double>(totals.interactions) / static_cast<double>(totals.bodies));
  const int steps = step - std::exchange(reported_step_, step);
  const double now = seconds(), took = now - std::exchange(reported_at_, now);
  if (steps > 0) std::printf(" %9.3f", 1e3 * took / steps);
  std::printf("\n");
  std::fflush(stdout);
}

void Report::end(const Totals& totals) const {
  const Vec3 momentum = totals.momentum();
  std::printf("largest error of the energy: %.3e of it\n", largest_error_ / std::abs(first_energy_));
  std::printf("momentum: %.3e\n", std::sqrt(dot(momentum, momentum)));
  std::printf("fingerprint: %016" PRIx64 "\n", totals.fingerprint);
  std::printf("time loop: %.3f s\n", seconds());
}

void write_bodies(const std::string& path, const Parameters& parameters, std::vector<Body> bodies) {
  std::ranges::sort(bodies, {}, &Body::id);
  std::ofstream out(path);
  out.precision(std::numeric_limits<double>::max_digits10);
  out << bodies.size() << "\nProperties=id:I:1:mass:R:1:pos:R:3:vel:R:3:acc:R:3:potential:R:1 softening="
      << parameters.gravity.softening << '\n';
  for (const Body& body : bodies)
    out << body.id << ' ' << body.mass << ' ' << body.x << ' ' << body.v << ' ' << body.a << ' '
        << body.potential << '\n';
  out.close();
  if (!out) throw std::runtime_error("the bodies cannot be written to " + path);
}

}  // namespace barneshut
