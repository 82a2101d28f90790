// SPDX-License-Identifier: Apache-2.0
// `--lb-mode auto` of a job of which nothing was known: what the resource model (skein/lb/resources.hpp)
// makes of the run's own steps, for the next run. On PE 0.
#pragma once

#include <string>

#include "runtime/balance/report.hpp"
#include "runtime/balance/step_config.hpp"

namespace skein::balance {

/// Of a step that was inline.
void learn_from_step(const StepRecord& record);

/// A closing line: the mode that takes least, what it takes and what inline does, and the option to give.
std::string mode_advice(const StepConfig& config);

}  // namespace skein::balance
