// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/expected_largest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace skein::lb {
namespace {

/// The grid of the integral, in parts of the spread: times further below the largest one do not count.
constexpr double kStep = 0.25;
constexpr std::size_t kBelow = 16, kAbove = 24, kBins = 32;  // steps

/// The logarithms of the normal distribution at -kBelow, -kBelow + 1 and so on steps.
using Logs = std::array<double, kBelow + kAbove + kBins + 1>;

Logs logs_of_normal() {
  Logs logs;
  for (std::size_t k = 0; k < logs.size(); ++k)
    logs[k] =
        std::log(0.5 * std::erfc(-(static_cast<double>(k) - double{kBelow}) * kStep / std::numbers::sqrt2));
  return logs;
}

}  // namespace

double expected_largest(std::span<const double> times, double spread) {
  const double largest = std::ranges::max(times);
  if (spread <= 0) return largest;
  // A time counts for the two bins beside it.
  std::array<double, kBins + 1> count{};
  for (const double time : times) {
    const double below = (largest - time) / spread / kStep;
    if (below >= double{kBins}) continue;
    const auto bin = static_cast<std::size_t>(below);
    count[bin + 1] += below - static_cast<double>(bin);
    count[bin] += 1 - (below - static_cast<double>(bin));
  }
  static const Logs kLogs = logs_of_normal();
  double beyond = 0;  // the integral of 1 - F above `largest`, less that of F below it, in steps
  for (std::size_t at = 0; at <= kBelow + kAbove; ++at) {
    double log = 0;
    for (std::size_t bin = 0; bin < kBins; ++bin) log += count[bin] * kLogs[at + bin];
    const double all_earlier = std::exp(log);
    if (at == kBelow)
      beyond += 0.5 - all_earlier;
    else
      beyond += at < kBelow ? -all_earlier : 1 - all_earlier;
  }
  return largest + beyond * kStep * spread;
}

}  // namespace skein::lb
