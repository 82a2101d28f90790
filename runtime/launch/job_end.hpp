// SPDX-License-Identifier: Apache-2.0
// How a job ended, and what is said about it where the MPI launcher says nothing.
#pragma once

#include <string>

namespace skein::launch {

/// Whether the kernel has ended processes of this machine for lack of memory meanwhile.
enum class OutOfMemory { no, yes, unknown };

/// How a job of several processes ended.
struct JobEnd {
  int status = 0;        ///< as a shell has it: of the launcher, 128 + signal if one ended it
  bool any_pe = false;   ///< whether a PE of this machine has ever reported
  int lost_process = 0;  ///< the first PE that ended without a goodbye, before any had said one; 0: none did
  int lost_pe = -1;      ///< its number; -1: it had none yet, as the MPI underneath had not started
  std::string lost_host{};  ///< where it was; empty: on this machine
  bool lost_node = false;   ///< and all that was there, or the network to it
  /// The launcher has ended the PEs of this machine, for something elsewhere of which nobody has told.
  bool lost_elsewhere = false;
  double lost_stopped_s = 0;   ///< a signal had stopped it for so long that it was killed
  std::string fault{};         ///< the first that a PE of this machine says it ends by, and where in the code
  bool stopped = false;        ///< by a signal to this process or to the launcher
  bool launcher_died = false;  ///< of that signal, which is nobody's wish to stop the job
  bool put_down = false;       ///< the launcher did not end by itself when it had to
  OutOfMemory out_of_memory = OutOfMemory::unknown;
  unsigned long processor_seconds = 0;  ///< the limit on what a process uses of the processor; 0: none
};

/// Whether the signal is of a fault or SIGKILL: none that is sent to have a job end in good order.
bool is_sudden_death(int signal);

/// The PE that was lost, if it had a number, as messages have it.
std::string name_lost_pe(const JobEnd& end);

/// What to say about it; empty if nothing. `launcher`: as the user would type it; `mpi`: the MPI underneath.
std::string describe_end(const JobEnd& end, const std::string& launcher, const std::string& mpi);

}  // namespace skein::launch
