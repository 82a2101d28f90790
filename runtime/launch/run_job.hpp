// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Runs the job on this PE, from MPI_Init to its end: every PE of the job calls it once, on the main thread.
/// `run` is settled as far as it can be before MPI_Init: confirm_world_size() (launcher.hpp) does the rest.
/// Returns the exit status of the process. Throws skein::Error before any rank runs.
int run_job(const RunOptions& run);

}  // namespace skein::launch
