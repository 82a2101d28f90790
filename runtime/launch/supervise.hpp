// SPDX-License-Identifier: Apache-2.0
// Stands between the user and the MPI launcher, to see what that does not tell: that a PE was killed, and
// which, or that the launcher ended without having started any.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/launch/job_end.hpp"

namespace skein::launch {

/// What the PEs of this node read and print: what the launcher passes on from and to this process's standard
/// streams, or these themselves (terminal_input.hpp). In the second case the launcher's own input is empty.
enum class PeStreams : bool { by_launcher, directly };

/// What is known of the PEs of a job that goes on after its end.
struct GoingOn {
  int pes = 0;         ///< so many there are, and each ends only when all do; 0: it is not such a job
  double grace_s = 0;  ///< so long a PE that is to leave may run
  double stopped_s =
      0;                ///< so long one may be stopped by a signal before it is killed, but not by a debugger
  double start_s = 20;  ///< from the report of one PE, which comes before it reads its program, to the next
  std::function<void(int pe)> leaves{};  ///< it is to
};

/// Runs `command` to its end. It gets a process group of its own, so that a signal to this one's (Ctrl-C, a
/// shell's kill) reaches it once, by this process: launchers take a second one for impatience, and leave
/// files behind. Only one that may want to talk with the user by the terminal, because it has its input,
/// stays in this process's group. What the user sends again ends the PEs at once, and a third time the
/// launcher; what is then left behind is removed (leftovers.hpp). If this process is killed, the launcher is
/// told to end. Single-threaded, before MPI_Init. Throws skein::Error, whose text is why, when the command
/// cannot be started.
///
/// A launcher is not relied on to end: once a PE was lost it is given some time, and is then killed with all
/// that descend from it. So is one of a job that goes on behind its end if it does not start all PEs.
JobEnd run_supervised(const std::vector<std::string>& command, PeStreams streams,
                      const GoingOn& going_on = {});

}  // namespace skein::launch
