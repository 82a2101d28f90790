// SPDX-License-Identifier: Apache-2.0
#include "gas.hpp"

#include <algorithm>

namespace samr {
namespace {

State flux_inside(const Gas& g, const State& s, std::size_t normal) {
  const double velocity = g.at[normal];
  State f = velocity * s;
  f.at[normal] += g.pressure();
  f.at[4] += velocity * g.pressure();
  return f;
}

/// Returns the state beside the contact, on the side of g; `wave` is the speed of its outer wave.
State beside_contact(const Gas& g, const State& s, std::size_t normal, double wave, double contact) {
  const double velocity = g.at[normal], inflow = g.density() * (wave - velocity);
  State star = ((wave - velocity) / (wave - contact)) * s;
  star.at[normal] = star.mass() * contact;
  star.at[4] += star.mass() * (contact - velocity) * (contact + g.pressure() / inflow);
  return star;
}

}  // namespace

State flux(const Gas& lower, const Gas& upper, int axis, double heat_ratio) {
  const std::size_t normal = 1 + static_cast<std::size_t>(axis);
  const double u_low = lower.at[normal], u_up = upper.at[normal];
  const double c_low = sound(lower, heat_ratio), c_up = sound(upper, heat_ratio);
  const double left = std::min(u_low - c_low, u_up - c_up), right = std::max(u_low + c_low, u_up + c_up);
  const State s_low = state_of(lower, heat_ratio), s_up = state_of(upper, heat_ratio);
  if (left >= 0) return flux_inside(lower, s_low, normal);
  if (right <= 0) return flux_inside(upper, s_up, normal);
  const double in_low = lower.density() * (left - u_low), in_up = upper.density() * (right - u_up);
  const double contact =
      (upper.pressure() - lower.pressure() + in_low * u_low - in_up * u_up) / (in_low - in_up);
  if (contact >= 0)
    return flux_inside(lower, s_low, normal) +
           left * (beside_contact(lower, s_low, normal, left, contact) - s_low);
  return flux_inside(upper, s_up, normal) +
         right * (beside_contact(upper, s_up, normal, right, contact) - s_up);
}

}  // namespace samr
