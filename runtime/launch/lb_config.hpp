// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/balance/step_config.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// What LB steps need to know of the options. `obstacle`: why nothing can move in this job, or null.
/// `any_collective`: is a sync point. Throws skein::Error for a strategy that does not exist.
balance::StepConfig step_config(const RunOptions& run, const char* obstacle, bool any_collective = false);

/// Whether a thread beside that of a reserved PE will call the MPI underneath: net::let_threads_call_mpi().
bool decides_by_mpi_on_a_thread(const RunOptions& run);
/// Whether that can come of the run's own steps: `--lb-mode auto`.
bool may_come_to_that(const RunOptions& run);

}  // namespace skein::launch
