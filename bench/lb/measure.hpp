// SPDX-License-Identifier: Apache-2.0
// One strategy on one snapshot: its time, and the quality of its assignment.
#pragma once
#include <cstdint>

#include "skein/lb/strategy.hpp"

namespace bench {

struct Result {
  double ms;  // the least of the repeats of Selection::assign, which includes checking the snapshot
  double max_over_avg;
  std::uint64_t moves;
};

// Returns the fewest objects that must move so that no PE finishes later than `limit`: each PE above it gives
// away its heaviest objects until it keeps the limit, wherever these go. No assignment within the limit moves
// fewer. For PEs of speed 1 without background load, all objects migratable.
std::uint64_t fewest_moves(const skein::lb::Snapshot& snapshot, double limit);

// Measures a strategy. One that has run for three seconds is not repeated.
Result measure(const skein::lb::Selection& selection, const skein::lb::Snapshot& snapshot, int repeats);

}  // namespace bench
