// SPDX-License-Identifier: Apache-2.0
// The files of a job's program: the program, the libraries of which each rank has a copy, those of the
// process, and stand-ins for another MPI's.
#pragma once

#include <string>

#include "runtime/image/program.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Returns the options of image::Program, except the functions that programs call.
image::ProgramOptions program_files(const RunOptions& run);

/// Prints, for `skein info PROGRAM`, which MPI the program was built for, and what a rank of it has and
/// costs. Throws skein::Error saying why it could not run.
void describe_program(const std::string& program);

}  // namespace skein::launch
