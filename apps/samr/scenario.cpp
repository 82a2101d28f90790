// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

namespace samr {
namespace {

/// SplitMix64 (Steele, Lea & Flood 2014), started from a number: in [0, 1).
double draw(std::uint64_t number) {
  std::uint64_t x = (number + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}

/// Behind a shock of that Mach number into gas of density and pressure 1 at rest (Toro, section 3.1.3).
Gas behind_shock(double mach) {
  const double m2 = mach * mach, g = heat_ratio;
  const double density = (g + 1) * m2 / ((g - 1) * m2 + 2);
  const double pressure = (2 * g * m2 - (g - 1)) / (g + 1);
  return {density, mach * std::sqrt(g) * (1 - 1 / density), 0, pressure};
}

bool in_circle(double x, double y, double radius) { return x * x + y * y < radius * radius; }

Gas blobs_at(const Parameters& p, double x, double y) {
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(p.blobs); ++i) {
    const std::uint64_t number = (static_cast<std::uint64_t>(p.seed) << 20) + 3 * i;
    const double radius = 0.02 + 0.03 * draw(number);
    const double bx = 0.05 + (p.length() / 3 - 0.1) * draw(number + 1), by = 0.05 + 0.9 * draw(number + 2);
    if (in_circle(x - bx, y - by, radius)) return {1, 0, 0, 20};
  }
  return {1, 0, 0, 1};
}

}  // namespace

Gas initial_gas(const Parameters& p, double x, double y) {
  switch (p.scenario) {
    case Scenario::sod:
      return x < p.length() / 2 ? Gas{1, 0, 0, 1} : Gas{0.125, 0, 0, 0.1};
    case Scenario::bubble:
      if (x < 0.1) return behind_shock(2.5);
      return {in_circle(x - 0.45, y - 0.5, 0.22) ? 5.0 : 1.0, 0, 0, 1};
    case Scenario::blobs:
      break;
  }
  return blobs_at(p, x, y);
}

Patch initial_patch(const Parameters& p, const BlockIndex& block) {
  Patch patch(p.cells, p.cells);
  const double h = p.spacing(block[0]);
  for (int j = 0; j < p.cells; ++j)
    for (int i = 0; i < p.cells; ++i) {
      const double x = (block[1] * p.cells + i) * h, y = (block[2] * p.cells + j) * h;
      State sum;
      for (const double dx : {0.25, 0.75})
        for (const double dy : {0.25, 0.75}) sum = sum + conserved(initial_gas(p, x + dx * h, y + dy * h));
      patch.at(i, j) = 0.25 * sum;
    }
  return patch;
}

Strip wall_strip(const Parameters& p, const Patch& patch, int side) {
  const bool open = axis_of(side) == 0 && p.scenario != Scenario::blobs;
  if (!open) return patch.mirrored_strip(side);
  if (p.scenario == Scenario::bubble && side == left_side)
    return Strip(static_cast<std::size_t>(ghost_layers * patch.along(side)), conserved(behind_shock(2.5)));
  return patch.continued_strip(side);
}

}  // namespace samr
