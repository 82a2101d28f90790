// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/balance/step_config.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// What LB steps need to know of the options. `obstacle`: why nothing can move in this job, or null. Throws
/// skein::Error for a strategy that does not exist.
balance::StepConfig step_config(const RunOptions& run, const char* obstacle);

}  // namespace skein::launch
