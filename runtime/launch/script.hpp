// SPDX-License-Identifier: Apache-2.0
// Programs that are scripts: the system starts the interpreter that the first line names.
#pragma once

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// If `run.program` is a script, makes its interpreter the program, and the rest of the first line and the
/// script's path its first arguments, like execve(); `#!/usr/bin/env NAME` is looked up in PATH. Throws
/// skein::Error if that is a shell, which would start other programs and is none itself, or if the line names
/// nothing that can be run. Called before anything is spawned.
void follow_script(RunOptions& run);

}  // namespace skein::launch
