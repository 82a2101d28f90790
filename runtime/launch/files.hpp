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

/// Throws skein::Error unless the map file can be read and the report and dump files can be written.
void check_files(const RunOptions& run);

}  // namespace skein::launch
