// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <vector>

namespace samr {
namespace {

/// Toro, equations 10.37 to 10.39 and 10.59 to 10.61.
struct WaveSpeeds {
  double left, middle, right;
};

WaveSpeeds wave_speeds(const Gas& l, const Gas& r) {
  const double al = l.sound(), ar = r.sound();
  const double guess =
      0.5 * (l.pressure + r.pressure) - 0.125 * (r.u - l.u) * (l.density + r.density) * (al + ar);
  const double star = std::max(0.0, guess);
  const auto stretch = [&](double p) {
    return star <= p ? 1 : std::sqrt(1 + (heat_ratio + 1) / (2 * heat_ratio) * (star / p - 1));
  };
  const double left = l.u - al * stretch(l.pressure), right = r.u + ar * stretch(r.pressure);
  const double from_left = l.density * (left - l.u), from_right = r.density * (right - r.u);
  return {left, (r.pressure - l.pressure + l.u * from_left - r.u * from_right) / (from_left - from_right),
          right};
}

/// Between the wave of speed s and the contact.
State star_state(const Gas& g, double s, double middle) {
  const double density = g.density * (s - g.u) / (s - middle);
  const double energy =
      conserved(g).energy / g.density + (middle - g.u) * (middle + g.pressure / (g.density * (s - g.u)));
  return {density, density * middle, density * g.v, density * energy};
}

/// 0 where slopes differ in sign, else their harmonic mean.
double limited(double a, double b) { return a * b <= 0 ? 0 : 2 * a * b / (a + b); }

struct Edges {
  Gas left, right;
};

bool is_gas(const Gas& g) { return g.density > 0 && g.pressure > 0; }

/// What a cell has at its edges half a step later.
Edges hancock(const Gas& before, const Gas& here, const Gas& behind, double ratio) {
  const auto slope = [&](double Gas::*m) { return 0.5 * limited(here.*m - before.*m, behind.*m - here.*m); };
  const Gas d{slope(&Gas::density), slope(&Gas::u), slope(&Gas::v), slope(&Gas::pressure)};
  const Gas left{here.density - d.density, here.u - d.u, here.v - d.v, here.pressure - d.pressure};
  const Gas right{here.density + d.density, here.u + d.u, here.v + d.v, here.pressure + d.pressure};
  const State change = 0.5 * ratio * (flux(left) - flux(right));
  const Edges edges{gas(conserved(left) + change), gas(conserved(right) + change)};
  // First order where the gas is nearly a vacuum.
  return is_gas(edges.left) && is_gas(edges.right) ? edges : Edges{here, here};
}

}  // namespace

State hllc(const Gas& l, const Gas& r) {
  const WaveSpeeds s = wave_speeds(l, r);
  if (s.left >= 0) return flux(l);
  if (s.right <= 0) return flux(r);
  if (s.middle >= 0) return flux(l) + s.left * (star_state(l, s.left, s.middle) - conserved(l));
  return flux(r) + s.right * (star_state(r, s.right, s.middle) - conserved(r));
}

void row_fluxes(std::span<const State> cells, double ratio, std::span<State> fluxes) {
  std::vector<Gas> gases;
  gases.reserve(cells.size());
  for (const State& state : cells) gases.push_back(gas(state));
  Edges before = hancock(gases[0], gases[1], gases[2], ratio);
  for (std::size_t i = 0; i < fluxes.size(); ++i) {
    const Edges behind = hancock(gases[i + 1], gases[i + 2], gases[i + 3], ratio);
    fluxes[i] = hllc(before.right, behind.left);
    before = behind;
  }
}

}  // namespace samr
