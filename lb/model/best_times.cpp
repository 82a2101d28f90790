// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/best_times.hpp"

#include <algorithm>
#include <limits>

namespace skein::lb {

BestTimes best_times(std::size_t points, std::size_t every, const HeldAfter& held_after) {
  std::vector<double> least(points + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> before(points + 1,
                                  0);  // the place of the last step, for the best way to each point
  least[0] = 0;
  for (std::size_t i = 0; i < points; i += every) {
    const StepTimes held = held_after(i, before[i]);
    double seconds = least[i] + (i > 0 ? held.step_s : 0);
    for (std::size_t j = i + 1; j <= points; ++j) {
      seconds += held.point_s[j - 1 - i];
      if (seconds >= least[j]) continue;
      least[j] = seconds;
      before[j] = i;
    }
  }
  BestTimes best{.seconds = least[points]};
  for (std::size_t i = before[points]; i > 0; i = before[i]) best.steps.push_back(i);
  std::ranges::reverse(best.steps);
  return best;
}

}  // namespace skein::lb
