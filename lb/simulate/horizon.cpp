// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/horizon.hpp"

#include <cstdio>

namespace skein::simulate {

std::string long_time(double ns) {
  constexpr double day_ns = 86400e9, year_ns = 365.25 * day_ns;
  char text[64];
  snprintf(text, sizeof text, ns < year_ns ? "%.4g days" : "%.4g years",
           ns / (ns < year_ns ? day_ns : year_ns));
  return text;
}

void fail_as_too_long(double ns, const std::string& what) {
  throw SimulationError(
      what + " takes " + long_time(ns) +
      ": look at the numbers of the platform, and at those of the trace (skein trace info)");
}

void fail_beyond_horizon(const Platform& platform) {
  throw SimulationError("the simulated time comes to " + long_time(static_cast<double>(kHorizonNs)) +
                        ": look at the times and speeds of platform '" + platform.name +
                        "', and at those of the trace (skein trace info)");
}

}  // namespace skein::simulate
