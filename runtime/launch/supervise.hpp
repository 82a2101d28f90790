// SPDX-License-Identifier: Apache-2.0
// Stands between the user and the MPI launcher, to say what that does not: that a PE was killed, and which,
// or that the launcher ended without having started any.
#pragma once

#include <string>
#include <vector>

namespace skein::launch {

/// How a job of several processes ended.
struct JobEnd {
  int status = 0;        ///< as a shell has it: of the launcher, 128 + signal if one ended it
  bool any_pe = false;   ///< whether a PE of this machine has ever reported
  int lost_pe = -1;      ///< the first that ended without a goodbye, before any had said one; -1: none did
  int lost_process = 0;  ///< its process
  bool stopped = false;  ///< by a signal to this process or to the launcher
};

/// Where the PEs of this node print: through pipes to the launcher, which passes it on, or straight to this
/// process's standard output and error.
enum class PesPrint : bool { to_launcher, directly };

/// Runs `command` to its end as a process of its own in this one's process group, so that terminal, standard
/// streams and Ctrl-C are the launcher's too. Signals that only this process gets are passed on; if this
/// process is killed, the launcher is told to end. Single-threaded, before MPI_Init. Throws skein::Error,
/// whose text is why, when the command cannot be started.
JobEnd run_supervised(const std::vector<std::string>& command, PesPrint print);

/// What to say about it; empty if nothing. `launcher`: as the user would type it; `mpi`: the MPI underneath.
std::string describe_end(const JobEnd& end, const std::string& launcher, const std::string& mpi);

}  // namespace skein::launch
