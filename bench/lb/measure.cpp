// SPDX-License-Identifier: Apache-2.0
#include "bench/lb/measure.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "bench/lb/snapshots.hpp"
#include "skein/lb/metrics.hpp"

namespace bench {

using namespace skein::lb;

std::uint64_t fewest_moves(const Snapshot& snapshot, double limit) {
  std::vector<std::vector<double>> loads(snapshot.pe_count());
  for (std::size_t i = 0; i < snapshot.object_count(); ++i)
    loads[snapshot.objects.pe[i]].push_back(snapshot.objects.load[i]);
  std::uint64_t moves = 0;
  for (std::vector<double>& of_pe : loads) {
    std::ranges::sort(of_pe, std::greater{});
    double finish = std::accumulate(of_pe.begin(), of_pe.end(), 0.0);
    for (std::size_t k = 0; k < of_pe.size() && finish > limit; ++k, ++moves) finish -= of_pe[k];
  }
  return moves;
}

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
