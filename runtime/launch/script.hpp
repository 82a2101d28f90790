// SPDX-License-Identifier: Apache-2.0
// Programs that are scripts: what the system starts for one is the interpreter that its first line names.
#pragma once

#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Where `run.program` is a script, makes its interpreter the program, and what the first line adds and the
/// script's path its first arguments, as execve() does; `#!/usr/bin/env NAME` is looked up in PATH. Throws
/// skein::Error if that is a shell, which would start other programs and is none itself, or if the line names
/// nothing that can be run. Before anything is spawned.
void follow_script(RunOptions& run);

}  // namespace skein::launch
