// SPDX-License-Identifier: Apache-2.0
// Sums over all bodies, and the report of them. The sums are exact, so they do not depend on where the bodies
// are.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "apps/common/fixed_sum.hpp"
#include "body.hpp"
#include "parameters.hpp"

namespace barneshut {

/// A plain struct.
struct Totals {
  apps::FixedSum kinetic, potential;
  apps::FixedSum momentum_x, momentum_y, momentum_z;
  std::uint64_t bodies = 0;
  std::uint64_t interactions = 0;
  /// Equal if and only if (but for chance) each body has bitwise equal place, velocity and acceleration.
  std::uint64_t fingerprint = 0;

  /// Adds a body whose potential is known.
  void add(const Body& body);
  Totals& operator+=(const Totals& other);

  double energy() const { return kinetic.value() + potential.value(); }
  Vec3 momentum() const { return {momentum_x.value(), momentum_y.value(), momentum_z.value()}; }
};

Totals totals_of(std::span<const Body> bodies);

/// Prints the lines of a run.
class Report {
 public:
  explicit Report(const Parameters& parameters) : parameters_(parameters) {}

  void begin();
  void interval(int step, const Totals& totals);
  void end(const Totals& totals) const;

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  Parameters parameters_;
  Clock::time_point started_;
  double reported_at_ = 0;  // seconds since the start
  int reported_step_ = 0;
  double first_energy_ = 0;
  double largest_error_ = 0;
};

/// Writes the bodies as extended XYZ, in the order of ids. Throws std::runtime_error.
void write_bodies(const std::string& path, const Parameters& parameters, std::vector<Body> bodies);

}  // namespace barneshut
