// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "skein/lb/trace.hpp"

namespace skein::trace {
namespace {

/// Smaller values are within the differences of clocks and interrupts.
constexpr double kToleratedPart = 0.02, kToleratedS = 0.05;

}  // namespace

std::string to_text(const Disturbance& disturbance) {
  const double busy = static_cast<double>(disturbance.busy_ns) * 1e-9;
  const double others = static_cast<double>(disturbance.others_ns) * 1e-9;
  if (others < kToleratedS || others < kToleratedPart * busy) return "";
  char text[300];
  if (disturbance.left_out)
    std::snprintf(text, sizeof text,
                  "other processes had the cores for %.2f s of the %.2f s in which the traced work was "
                  "computed: bursts leave this time out, but not its effects on caches",
                  others, busy);
  else
    std::snprintf(
        text, sizeof text,
        "the trace has %.2f s of computing, of which other processes had the cores for %.2f s or more: its "
        "bursts are too long by that, since the system does not tell when a thread loses its processor",
        busy, others);
  return text;
}

}  // namespace skein::trace
