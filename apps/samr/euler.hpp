// SPDX-License-Identifier: Apache-2.0
// The Euler equations of an ideal gas in two dimensions. E. F. Toro, Riemann Solvers and Numerical Methods
// for Fluid Dynamics, 3rd ed. 2009: "Toro" below.
#pragma once

#include <algorithm>
#include <cmath>

namespace samr {

inline constexpr double heat_ratio = 1.4;

/// Conserved, per area: mass, momentum, energy.
struct State {
  double mass = 0, x = 0, y = 0, energy = 0;

  friend State operator+(const State& a, const State& b) {
    return {a.mass + b.mass, a.x + b.x, a.y + b.y, a.energy + b.energy};
  }
  friend State operator-(const State& a, const State& b) {
    return {a.mass - b.mass, a.x - b.x, a.y - b.y, a.energy - b.energy};
  }
  friend State operator*(double s, const State& a) { return {s * a.mass, s * a.x, s * a.y, s * a.energy}; }
};

struct Gas {
  double density = 0, u = 0, v = 0, pressure = 0;

  double sound() const { return std::sqrt(heat_ratio * pressure / density); }
};

inline State conserved(const Gas& g) {
  return {g.density, g.density * g.u, g.density * g.v,
          g.pressure / (heat_ratio - 1) + 0.5 * g.density * (g.u * g.u + g.v * g.v)};
}
inline Gas gas(const State& s) {
  const double u = s.x / s.mass, v = s.y / s.mass;
  return {s.mass, u, v, (heat_ratio - 1) * (s.energy - 0.5 * s.mass * (u * u + v * v))};
}

/// Through a face across x.
inline State flux(const Gas& g) {
  const double energy = g.pressure / (heat_ratio - 1) + 0.5 * g.density * (g.u * g.u + g.v * g.v);
  return {g.density * g.u, g.density * g.u * g.u + g.pressure, g.density * g.u * g.v,
          (energy + g.pressure) * g.u};
}

/// The flux between two gases by the HLLC solver, with the wave speeds of Toro, section 10.5.
State hllc(const Gas& left, const Gas& right);

/// x and y exchanged: sweeps along y are sweeps along x of this.
inline State turned(const State& s) { return {s.mass, s.y, s.x, s.energy}; }

}  // namespace samr
