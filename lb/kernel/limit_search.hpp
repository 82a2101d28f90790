// SPDX-License-Identifier: Apache-2.0
// Finds the lowest limit on finish times that a method can keep.
#pragma once
#include <utility>

namespace skein::lb {

/// Calls attempt(limit), whose result has a member largest_finish, first for `wanted`, and if it does not
/// keep that limit, for others by bisection between it and `present`'s largest finish. Returns the attempt
/// that finishes earliest, or `present` if none finishes earlier.
template <class Result, class Attempt>
Result search_limit(double wanted, Result present, Attempt attempt) {
  constexpr int kAttempts = 8;
  double low = wanted, high = present.largest_finish;
  Result best = std::move(present);
  for (int k = 0; k < kAttempts; ++k) {
    const double limit = k == 0 ? wanted : (low + high) / 2;
    Result result = attempt(limit);
    const bool kept = result.largest_finish <= limit;
    if (result.largest_finish < best.largest_finish) best = std::move(result);
    if (kept && k == 0) break;
    (kept ? high : low) = limit;
  }
  return best;
}

}  // namespace skein::lb
