// SPDX-License-Identifier: Apache-2.0
// Stands between the user and the MPI launcher, to say what that does not: that a PE was killed, and which,
// or that the launcher ended without having started any.
#pragma once

#include <string>
#include <vector>

namespace skein::launch {

/// Whether the kernel has ended processes of this machine for lack of memory meanwhile.
enum class OutOfMemory { no, yes, unknown };

/// How a job of several processes ended.
struct JobEnd {
  int status = 0;        ///< as a shell has it: of the launcher, 128 + signal if one ended it
  bool any_pe = false;   ///< whether a PE of this machine has ever reported
  int lost_pe = -1;      ///< the first that ended without a goodbye, before any had said one; -1: none did
  int lost_process = 0;  ///< its process
  bool stopped = false;  ///< by a signal to this process or to the launcher
  OutOfMemory out_of_memory = OutOfMemory::unknown;
  unsigned long processor_seconds = 0;  ///< the limit on what a process uses of the processor; 0: none
};

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

/// What to say about it; empty if nothing. `launcher`: as the user would type it; `mpi`: the MPI underneath.
std::string describe_end(const JobEnd& end, const std::string& launcher, const std::string& mpi);

}  // namespace skein::launch
