// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/clock.hpp"

namespace skein {
namespace {

struct Moment {
  double seconds = 0;
  std::uint64_t ticks = 0;
};

/// Reads both clocks at once: of a few readings the fastest counts, since a process may lose the processor
/// between two.
Moment now_by_both() {
  constexpr int kReadings = 5;
  Moment best;
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < kReadings; ++i) {
    const std::uint64_t before = ticks();
    const double at = seconds();
    const std::uint64_t took = ticks() - before;
    if (took < least) least = took, best = {at, before + took / 2};
  }
  return best;
}

double measure() {
  const Moment begin = now_by_both();
  while (seconds() - begin.seconds < 2e-3) {
  }
  const Moment end = now_by_both();
  return (end.seconds - begin.seconds) * 1e9 / static_cast<double>(end.ticks - begin.ticks);
}

}  // namespace

double ns_per_tick() {
  static const double value = measure();
  return value;
}

}  // namespace skein
