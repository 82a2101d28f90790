// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/pe_speeds.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::simulate {
namespace {

/// A run looks at its processors once, before anything else.
double at_start(const Platform& platform, PeIndex pe) {
  double speed = platform.speeds.empty() ? 1 : platform.speeds[pe];
  for (const SpeedChange& change : platform.changes)
    if (change.pe == pe && change.from_ns <= 0 && change.until_ns >= 0) speed *= change.factor;
  return speed;
}

std::vector<double> measured(const Platform& platform, std::size_t pes) {
  if (platform.speeds.empty() && platform.background.empty() && platform.changes.empty()) return {};
  std::vector<double> speeds(pes);
  for (PeIndex pe = 0; pe < pes; ++pe) speeds[pe] = at_start(platform, pe);
  const double fastest = std::ranges::max(speeds);
  for (PeIndex pe = 0; pe < pes; ++pe) {
    // What stands at the start cannot be measured then.
    const double processor = speeds[pe] > 0 ? lb::counted_speed(speeds[pe] / fastest) : 1;
    const double own = platform.background.empty() ? 1 : lb::counted_speed(1 - platform.background[pe]);
    speeds[pe] = processor * own;
  }
  return speeds;
}

}  // namespace

std::vector<double> speeds_seen(const Platform& platform, const Policy& policy) {
  const std::size_t pes = platform.pe_count() - static_cast<std::size_t>(policy.mode.reserved_pes());
  std::vector<double> speeds = policy.pe_speeds ? *policy.pe_speeds : measured(platform, pes);
  if (!speeds.empty()) speeds.resize(pes, 1);
  if (std::ranges::all_of(speeds, [](double speed) { return speed == 1; })) speeds.clear();
  return speeds;
}

}  // namespace skein::simulate
