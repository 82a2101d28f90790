// SPDX-License-Identifier: Apache-2.0
#include "bench/lb/measure.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "bench/lb/snapshots.hpp"
#include "skein/lb/metrics.hpp"

namespace bench {

using namespace skein::lb;

Result measure(const Selection& selection, const Snapshot& snapshot, int repeats) {
  constexpr double kEnoughMs = 3000;
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  Assignment pe_of;
  for (int k = 0; k < repeats && spent < kEnoughMs; ++k) {
    const auto start = std::chrono::steady_clock::now();
    pe_of = selection.assign(snapshot, kSeed);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    least = std::min(least, elapsed.count());
    spent += elapsed.count();
  }
  return {least, 1 + percent_imbalance(snapshot, pe_of) / 100, movement(snapshot, pe_of).objects};
}

}  // namespace bench
