// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/clock.hpp"

namespace skein {
namespace {

double measure() {
  const double t0 = seconds();
  const std::uint64_t c0 = ticks();
  double t1 = t0;
  while (t1 - t0 < 2e-3) t1 = seconds();
  return (t1 - t0) * 1e9 / static_cast<double>(ticks() - c0);
}

}  // namespace

double ns_per_tick() {
  static const double value = measure();
  return value;
}

}  // namespace skein
