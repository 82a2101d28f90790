// SPDX-License-Identifier: Apache-2.0
// An ideal gas: its state, and the flux between two states.
#pragma once

#include <array>
#include <cmath>

namespace samr {

inline constexpr std::size_t variables = 5;

/// Density of mass, momentum and energy, or their flux.
struct State {
  std::array<double, variables> at{};

  double mass() const { return at[0]; }
  double momentum(int axis) const { return at[1 + static_cast<std::size_t>(axis)]; }
  double energy() const { return at[4]; }

  friend bool operator==(const State&, const State&) = default;
  State& operator+=(const State& b) {
    for (std::size_t v = 0; v < variables; ++v) at[v] += b.at[v];
    return *this;
  }
  friend State operator+(State a, const State& b) { return a += b; }
  friend State operator-(State a, const State& b) {
    for (std::size_t v = 0; v < variables; ++v) a.at[v] -= b.at[v];
    return a;
  }
  friend State operator*(double factor, State a) {
    for (double& value : a.at) value *= factor;
    return a;
  }
};

/// Density, velocity and pressure, in the same places.
struct Gas {
  std::array<double, variables> at{};

  double density() const { return at[0]; }
  double velocity(int axis) const { return at[1 + static_cast<std::size_t>(axis)]; }
  double pressure() const { return at[4]; }
  bool is_possible() const { return density() > 0 && pressure() > 0; }
};

inline double sound(const Gas& g, double heat_ratio) {
  return std::sqrt(heat_ratio * g.pressure() / g.density());
}

inline Gas gas_of(const State& s, double heat_ratio) {
  const double u = s.at[1] / s.at[0], v = s.at[2] / s.at[0], w = s.at[3] / s.at[0];
  const double kinetic = 0.5 * (s.at[1] * u + s.at[2] * v + s.at[3] * w);
  return {{s.at[0], u, v, w, (heat_ratio - 1) * (s.at[4] - kinetic)}};
}

inline State state_of(const Gas& g, double heat_ratio) {
  const double d = g.at[0], u = g.at[1], v = g.at[2], w = g.at[3];
  return {{d, d * u, d * v, d * w, g.at[4] / (heat_ratio - 1) + 0.5 * d * (u * u + v * v + w * w)}};
}

/// Returns the flux through a face across the axis, from the gas on its lower side to the gas on its upper
/// side: HLLC with Davis's estimates of the speeds (Toro, Riemann Solvers and Numerical Methods for Fluid
/// Dynamics, 3rd ed. 2009, sections 10.4 and 10.5).
State flux(const Gas& lower, const Gas& upper, int axis, double heat_ratio);

}  // namespace samr
