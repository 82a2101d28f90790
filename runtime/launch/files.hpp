// SPDX-License-Identifier: Apache-2.0
// Checks of the files a run names, made before anything is spawned: one clear message instead of one per PE.
#pragma once

#include <string>

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Returns the file that `program` means: itself when it holds a slash, else the first executable of that
/// name in PATH, else in the current folder (as mpirun does). Throws skein::Error that names the searched
/// places and the cause.
std::string resolve_program(const std::string& program);

/// Checks that the map file can be read, that the report and dump files can be written, and the folder of
/// checkpoints, which it makes. Throws skein::Error otherwise.
void check_files(const RunOptions& run);

// ---- files of several jobs of one program, given one name: each job writes a file of its own

/// Returns the file of the `number`-th job (from 1) whose PE 0 is process `rank` of MPI_COMM_WORLD:
/// "run.sktrace" for the first of process 0, "run-2.sktrace" for its second, "run-rank3.sktrace",
/// "run-rank3-2.sktrace". The number precedes the first dot of the name, since what follows is the type of
/// the file.
std::string file_of_job(const std::string& file, int rank, int number);

/// Renames the files that a run writes by file_of_job(). `number`: of PE 0. Collective; PE 0 prints changed
/// names.
void name_files_of_job(RunOptions& run, int number);

}  // namespace skein::launch
