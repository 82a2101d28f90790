// SPDX-License-Identifier: Apache-2.0
// The model is asked what to do in a case, with what a run would know there.
#pragma once
#include <span>
#include <vector>

#include "bench/lbscenarios/tally.hpp"
#include "bench/lbscenarios/world.hpp"
#include "skein/lb/drift.hpp"
#include "skein/lb/model.hpp"

namespace lbscenarios {

using skein::lb::Drift;
using skein::lb::Learned;
using skein::lb::Selection;

// The loads that the application measured in the interval that ends before `step`.
Snapshot measured(const World& world, int step);
// What an LB step on another pattern taught of the strategies, whose decisions take as long as `decisions_s`
// says, give or take World::timing_error().
Learned taught_by(const World& earlier, std::span<const Selection> strategies,
                  std::span<const double> decisions_s);
// What the LB steps before this one showed of how long gains last.
Drift past_drift(const World& world);

// What the model chooses for the next `steps` steps, the horizon of that place among those that were played,
// and what comes of it.
Outcome ask(const World& world, const Snapshot& snapshot, const Learned& learned, const Drift& drift,
            std::span<const Selection> globals, const std::vector<Played>& played, std::size_t horizon,
            int steps);

}  // namespace lbscenarios
