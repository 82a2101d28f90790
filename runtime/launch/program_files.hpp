// SPDX-License-Identifier: Apache-2.0
// Which files a job's program consists of: the program, the libraries that each rank has its own copy of,
// those of the process, and what stands in for another MPI's.
#pragma once

#include <string>

#include "runtime/image/program.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// What image::Program takes, but for the functions that programs call.
image::ProgramOptions program_files(const RunOptions& run);

/// skein info PROGRAM: which MPI it was built for, and what a rank of it has and costs. Prints. Throws
/// skein::Error saying why it could not run.
void describe_program(const std::string& program);

}  // namespace skein::launch
