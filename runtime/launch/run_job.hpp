// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/image/address_space.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Exit status of a job that could not be started. Differs from what programs and signals end with, and from
/// 1, so that scripts can tell.
inline constexpr int did_not_start = 2;

/// Runs the job on this PE, from before MPI_Init to the end of the process: every PE of the job calls it
/// once, on the main thread. `run` is settled as far as it can be before MPI_Init. `argv` is main()'s. Throws
/// skein::Error before MPI_Init only.
[[noreturn]] void run_job(const RunOptions& run, const image::AddressSpaceState& space, char** argv);

}  // namespace skein::launch
