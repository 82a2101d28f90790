// SPDX-License-Identifier: Apache-2.0
// Why an LB step did what it did, in a sentence that a user understands.
#pragma once
#include <string>

#include "skein/lb/interval.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/planner.hpp"

namespace skein::lb {

/// `choice`: with several rows where --lb auto chose. `only_measured`: nobody was to decide.
std::string why(const StepPlan& plan, const Interval& interval, const Choice& choice, bool only_measured);

}  // namespace skein::lb
