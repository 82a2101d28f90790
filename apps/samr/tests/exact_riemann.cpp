// SPDX-License-Identifier: Apache-2.0
#include "exact_riemann.hpp"

#include <cmath>

namespace {

double sound(const Gas1& gas, double g) { return std::sqrt(g * gas.pressure / gas.density); }

/// Returns the change of velocity by the wave on that side if the pressure behind it is p (Toro, 4.6 and
/// 4.7).
double change(const Gas1& gas, double p, double g) {
  if (p > gas.pressure) {
    const double a = 2 / ((g + 1) * gas.density), b = (g - 1) / (g + 1) * gas.pressure;
    return (p - gas.pressure) * std::sqrt(a / (p + b));
  }
  return 2 * sound(gas, g) / (g - 1) * (std::pow(p / gas.pressure, (g - 1) / (2 * g)) - 1);
}

}  // namespace

// At the pressure between the waves the velocities of both sides agree; their difference grows with the
// pressure, so bisection finds it to the last digit.
ExactRiemann::ExactRiemann(Gas1 left, Gas1 right, double heat_ratio)
    : left_(left), right_(right), g_(heat_ratio) {
  const auto difference = [&](double p) {
    return change(left_, p, g_) + change(right_, p, g_) + right_.velocity - left_.velocity;
  };
  double low = 0, high = 1;
  while (difference(high) < 0) high *= 2;
  for (int i = 0; i < 200; ++i) {
    pressure_ = 0.5 * (low + high);
    (difference(pressure_) < 0 ? low : high) = pressure_;
  }
  velocity_ =
      0.5 * (left_.velocity + right_.velocity + change(right_, pressure_, g_) - change(left_, pressure_, g_));
}

Gas1 ExactRiemann::at(double speed) const {
  return speed < velocity_ ? beside_contact(left_, 1, speed) : beside_contact(right_, -1, speed);
}

// Mirrored so that the wave of this side runs to the left: sign is -1 for the right side (Toro, section 4.5).
Gas1 ExactRiemann::beside_contact(const Gas1& side, double sign, double speed) const {
  const double u = sign * side.velocity, s = sign * speed, star = sign * velocity_, a = sound(side, g_);
  const double ratio = pressure_ / side.pressure, k = (g_ - 1) / (g_ + 1);
  if (pressure_ > side.pressure) {
    const double shock = u - a * std::sqrt((g_ + 1) / (2 * g_) * ratio + (g_ - 1) / (2 * g_));
    if (s < shock) return side;
    return {side.density * (ratio + k) / (k * ratio + 1), velocity_, pressure_};
  }
  const double star_sound = a * std::pow(ratio, (g_ - 1) / (2 * g_));
  if (s < u - a) return side;
  if (s > star - star_sound) return {side.density * std::pow(ratio, 1 / g_), velocity_, pressure_};
  const double factor = 2 / (g_ + 1) + k / a * (u - s);
  return {side.density * std::pow(factor, 2 / (g_ - 1)), sign * 2 / (g_ + 1) * (a + (g_ - 1) / 2 * u + s),
          side.pressure * std::pow(factor, 2 * g_ / (g_ - 1))};
}
