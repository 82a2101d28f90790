// SPDX-License-Identifier: Apache-2.0
// Stands between the user and the MPI launcher, to notice what that does not tell: that a PE was killed, and
// which, or that the launcher ended without having started any.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/launch/job_end.hpp"

namespace skein::launch {

/// The standard streams of this node's PEs: pipes whose data the launcher passes to and from this process's
/// standard streams, or these themselves (terminal_input.hpp). In the second case the launcher's own input is
/// empty.
enum class PeStreams : bool { by_launcher, directly };

/// Facts about the PEs of a job that goes on after its end.
struct GoingOn {
  int pes = 0;         ///< the number of PEs, each of which ends only when all do; 0: the job does not go on
  double grace_s = 0;  ///< how long a PE that is to leave may run
  double stopped_s = 0;  ///< how long a signal, but not a debugger, may stop a PE before it is killed
  double start_s = 20;   ///< from the report of one PE, which comes before it reads its program, to the next
  std::function<void(int pe)> leaves{};  ///< called when a PE is to leave
};

/// Runs `command` to its end, in a process group of its own: a signal to this process's group (Ctrl-C, a
/// shell's kill) reaches it once, through this process. Launchers take a second one for impatience, and leave
/// files behind. Only a launcher that may talk with the user on the terminal, because it has its input, stays
/// in this process's group. A repeated signal of the user ends the PEs at once, a third one the launcher;
/// then leftovers are removed (leftovers.hpp). If this process is killed, the launcher gets a signal to end.
/// Single-threaded, before MPI_Init. Throws skein::Error, whose text is the reason, when the command cannot
/// be started.
///
/// The launcher need not end by itself: once a PE was lost it gets some time, and is then killed with all its
/// descendants. The same happens in a job that goes on behind its end, if the launcher does not start all
/// PEs.
JobEnd run_supervised(const std::vector<std::string>& command, PeStreams streams,
                      const GoingOn& going_on = {});

}  // namespace skein::launch
