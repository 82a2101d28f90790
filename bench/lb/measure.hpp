// SPDX-License-Identifier: Apache-2.0
// One strategy on one snapshot: its time, and what its assignment is worth.
#pragma once
#include <cstdint>

#include "skein/lb/strategy.hpp"

namespace bench {

struct Result {
  double ms;  // the least of the repeats of Selection::assign, which includes checking the snapshot
  double max_over_avg;
  std::uint64_t moves;
};

// A strategy that has run for three seconds is not repeated.
Result measure(const skein::lb::Selection& selection, const skein::lb::Snapshot& snapshot, int repeats);

}  // namespace bench
