// SPDX-License-Identifier: Apache-2.0
#include "solver.hpp"

namespace samr {

double limited(double below, double above) {
  const double most = below * above > 0 ? 2 * std::min(std::abs(below), std::abs(above)) : 0;
  return std::copysign(std::min(most, 0.5 * std::abs(below + above)), below + above);
}

namespace {

using Slopes = std::array<Gas, axes>;

/// Returns the slope at c, of fourth order, from the two neighbours on either side.
double slope(double a, double b, double c, double d, double e) {
  const double below = c - b, above = d - c;
  const double most = below * above > 0 ? 2 * std::min(std::abs(below), std::abs(above)) : 0;
  const double wanted = 2.0 / 3 * (d - b) - 1.0 / 6 * (limited(b - a, below) + limited(above, e - d));
  return std::copysign(std::min(most, std::abs(wanted)), d - b);
}

Gas slope_along(const Gas* cell, std::ptrdiff_t stride) {
  Gas found;
  for (std::size_t v = 0; v < variables; ++v)
    found.at[v] = slope(cell[-2 * stride].at[v], cell[-stride].at[v], cell[0].at[v], cell[stride].at[v],
                        cell[2 * stride].at[v]);
  return found;
}

Gas plus(const Gas& g, double factor, const Gas& slope) {
  Gas sum;
  for (std::size_t v = 0; v < variables; ++v) sum.at[v] = g.at[v] + factor * slope.at[v];
  return sum;
}

/// Returns the gas half a step ahead.
Gas half_step(const Gas& g, const Slopes& slopes, double ratio, double heat_ratio) {
  Gas change;
  for (std::size_t a = 0; a < axes; ++a) {
    const Gas& s = slopes[a];
    const double u = g.at[1 + a], squeeze = s.at[1 + a];
    for (std::size_t v = 0; v < variables; ++v) change.at[v] += u * s.at[v];
    change.at[0] += g.density() * squeeze;
    change.at[1 + a] += s.pressure() / g.density();
    change.at[4] += heat_ratio * g.pressure() * squeeze;
  }
  return plus(g, -0.5 * ratio, change);
}

/// A cell half a step ahead, with the slopes that give the states at its faces.
struct Ahead {
  Gas middle;
  Slopes slopes;

  Gas at(int axis, double half) const { return plus(middle, half, slopes[static_cast<std::size_t>(axis)]); }
  bool is_possible() const {
    for (int axis = 0; axis < axes; ++axis)
      if (!at(axis, -0.5).is_possible() || !at(axis, 0.5).is_possible()) return false;
    return middle.is_possible();
  }
};

// Near vacuum or the strongest shocks, slopes may give impossible states: there the scheme is of first order.
FieldOf<Ahead> ahead(const FieldOf<Gas>& gas, const Box& box, double ratio, double heat_ratio) {
  FieldOf<Ahead> found(box);
  for_each_cell(box, [&](const Cell& c) {
    const Gas& here = gas[c];
    Ahead& to = found[c];
    for (int axis = 0; axis < axes; ++axis)
      to.slopes[static_cast<std::size_t>(axis)] = slope_along(&here, gas.stride(axis));
    to.middle = half_step(here, to.slopes, ratio, heat_ratio);
    if (!to.is_possible()) to = {here, {}};
  });
  return found;
}

}  // namespace

Step advanced(const Field& around, const Box& box, double ratio, double heat_ratio) {
  FieldOf<Gas> gas(box.grown(ghost_cells));
  for_each_cell(gas.box(), [&](const Cell& c) { gas[c] = gas_of(around[c], heat_ratio); });
  const FieldOf<Ahead> states = ahead(gas, box.grown(1), ratio, heat_ratio);
  Step step{around.piece(box), {}};
  for (int axis = 0; axis < axes; ++axis) {
    Box faces = box;
    ++faces.end[static_cast<std::size_t>(axis)];
    Field& fluxes = step.fluxes[static_cast<std::size_t>(axis)] = Field(faces);
    const std::ptrdiff_t stride = states.stride(axis);
    for_each_cell(faces, [&](const Cell& c) {
      const Ahead* const above = &states[c];
      fluxes[c] = flux(above[-stride].at(axis, 0.5), above->at(axis, -0.5), axis, heat_ratio);
    });
    const std::ptrdiff_t next = fluxes.stride(axis);
    for_each_cell(box, [&](const Cell& c) {
      const State* const lower = &fluxes[c];
      step.cells[c] += ratio * (lower[0] - lower[next]);
    });
  }
  return step;
}

void keep_warm(Field& cells, double coldest, double heat_ratio) {
  for_each_cell(cells.box(), [&](const Cell& c) {
    Gas gas = gas_of(cells[c], heat_ratio);
    if (gas.pressure() >= coldest * gas.density()) return;
    gas.at[4] = coldest * gas.density();
    cells[c] = state_of(gas, heat_ratio);
  });
}

void pull(State& state, int axis, double change_of_velocity) {
  const double gained = state.mass() * change_of_velocity;
  state.at[4] += change_of_velocity * (state.momentum(axis) + 0.5 * gained);
  state.at[1 + static_cast<std::size_t>(axis)] += gained;
}

double fastest_wave(const Field& cells, double heat_ratio) {
  double fastest = 0;
  for (const State& state : cells.values()) {
    const Gas g = gas_of(state, heat_ratio);
    const double speeds = std::abs(g.velocity(0)) + std::abs(g.velocity(1)) + std::abs(g.velocity(2));
    fastest = std::max(fastest, speeds + axes * sound(g, heat_ratio));
  }
  return fastest;
}

}  // namespace samr
