// SPDX-License-Identifier: Apache-2.0
// Stands between the user and the MPI launcher, to see what that does not tell: that a PE was killed, and
// which, or that the launcher ended without having started any.
#pragma once

#include <string>
#include <vector>

#include "runtime/launch/job_end.hpp"

namespace skein::launch {

/// What the PEs of this node read and print: what the launcher passes on from and to this process's standard
/// streams, or these themselves (terminal_input.hpp). In the second case the launcher's own input is empty.
enum class PeStreams : bool { by_launcher, directly };

/// Runs `command` to its end. It gets a process group of its own, so that a signal to this one's (Ctrl-C, a
/// shell's kill) reaches it once, by this process: launchers take a second one for impatience, and leave
/// files behind. Only one that may want to talk with the user by the terminal, because it has its input,
/// stays in this process's group. What the user sends again ends the PEs at once, and a third time the
/// launcher; what is then left behind is removed (leftovers.hpp). If this process is killed, the launcher is
/// told to end. Single-threaded, before MPI_Init. Throws skein::Error, whose text is why, when the command
/// cannot be started.
JobEnd run_supervised(const std::vector<std::string>& command, PeStreams streams);

}  // namespace skein::launch
