// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/interval.hpp"

#include <vector>

#include "runtime/net/pe_collectives.hpp"

namespace skein::balance {

Interval sum_over_pes(const IntervalShare& mine, std::uint64_t index, std::uint64_t points) {
  std::vector<double> sums = mine.numbers();
  net::sum_of_all(sums);
  return Interval(index, points, sums);
}

}  // namespace skein::balance
