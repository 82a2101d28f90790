// SPDX-License-Identifier: Apache-2.0
// Checks of the files a run names, made before anything is spawned: one clear message instead of one per PE.
#pragma once

#include <string>

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// The file that `program` means: itself when it holds a slash, else the first executable of that name in
/// PATH, else in the current folder (as mpirun does). Throws skein::Error saying where was looked and what is
/// wrong.
std::string resolve_program(const std::string& program);

/// Throws skein::Error unless the map file can be read, the report and dump files can be written, and so can
/// the folder of checkpoints, which is made.
void check_files(const RunOptions& run);

// Files of several jobs of one program, given one name: each job writes one of its own.

/// The file of the `number`-th job (from 1) whose PE 0 is process `rank` of MPI_COMM_WORLD: "run.sktrace" for
/// the first of process 0, "run-2.sktrace" for its second, "run-rank3.sktrace", "run-rank3-2.sktrace". Before
/// the first dot of the name, for what follows says what the file is.
std::string file_of_job(const std::string& file, int rank, int number);

/// Does so for the files that a run writes. `number`: of PE 0. Collective; tells of other names on PE 0.
void name_files_of_job(RunOptions& run, int number);

}  // namespace skein::launch
