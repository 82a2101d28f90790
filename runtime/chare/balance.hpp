// SPDX-License-Identifier: Apache-2.0
// LB steps of a native program. They are made when the job is quiescent, so that no call is under way while
// elements move, and every PE learns from the snapshot where all of them go.
#pragma once

#include <cstdint>

namespace skein::chare {

/// When sync points are LB steps.
struct Period {
  std::uint64_t points = 0;  ///< every so many; 0: never
  bool every_point = false;  ///< all gather the elements: the period is in seconds
};

/// LB steps of this job balance elements. Once, on every PE.
void balance_elements(Period period);

}  // namespace skein::chare
