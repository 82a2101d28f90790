// SPDX-License-Identifier: Apache-2.0
// Finds out whether an MPI launcher (mpirun, mpiexec, srun) started this process, and how many PEs it
// started.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/launch/options.hpp"

namespace skein::launch {

struct Launcher {
  std::string_view name;  ///< for messages
  int size = 0;           ///< processes it started; 0 when it does not say (PMIx alone)
  int rank = 0;           ///< of this process in MPI_COMM_WORLD
};

/// Looks for the variables that launchers set for the processes they start. A batch script's own environment
/// (sbatch, salloc) does not count: nothing has been spawned there yet.
std::optional<Launcher> find_launcher(std::span<const char* const> environment);

/// Fills in the counts that are still `auto`: PEs from the launcher, else one per core of `cores`; ranks one
/// per PE. Leaves them 0 under a launcher that does not tell its size; confirm_world_size() then fills them.
/// Throws skein::Error, naming both, when -p differs from the launcher's size.
void settle_counts(RunOptions& run, const std::optional<Launcher>& launcher, int cores);

/// Checks the size of the real MPI_COMM_WORLD, and fills in the counts that are still open. Throws
/// skein::Error when it differs from the PEs expected: a launcher of another MPI started the processes.
void confirm_world_size(RunOptions& run, int world_size);

}  // namespace skein::launch
