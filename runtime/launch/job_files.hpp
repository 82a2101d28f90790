// SPDX-License-Identifier: Apache-2.0
// Files of several jobs of one program, given one name: each job writes one of its own.
#pragma once

#include <string>

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// The file of the `number`-th job (from 1) whose PE 0 is process `rank` of MPI_COMM_WORLD: "run.sktrace" for
/// the first of process 0, "run-2.sktrace" for its second, "run-rank3.sktrace", "run-rank3-2.sktrace". Before
/// the first dot of the name, for what follows says what the file is.
std::string file_of_job(const std::string& file, int rank, int number);

/// Does so for the files that a run writes. Collective; tells of other names on PE 0.
void name_files_of_job(RunOptions& run);

}  // namespace skein::launch
