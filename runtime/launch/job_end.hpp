// SPDX-License-Identifier: Apache-2.0
// How a job ended, and the message about it where the MPI launcher prints none.
#pragma once

#include <string>

namespace skein::launch {

/// Tells if the kernel has ended processes of this machine for lack of memory during the job.
enum class OutOfMemory { no, yes, unknown };

/// How a job of several processes ended.
struct JobEnd {
  int status = 0;        ///< as a shell has it: the launcher's, or 128 + the signal that ended it
  bool any_pe = false;   ///< a PE of this machine has reported at some time
  int lost_process = 0;  ///< of the first PE that ended without a goodbye, before any had said one; 0: none
  int lost_pe = -1;      ///< its PE number; -1: it had none yet, as the MPI underneath had not started
  std::string lost_host{};  ///< its machine; empty: this one
  bool lost_node = false;   ///< the whole node was lost, or the network to it
  /// The launcher has ended the PEs of this machine because of an event elsewhere that nobody has reported.
  bool lost_elsewhere = false;
  double lost_stopped_s = 0;   ///< not 0: the PE was killed since a signal had stopped it for so long
  std::string fault{};         ///< the first by which a PE of this machine ends, and its place in the code
  bool stopped = false;        ///< by a signal to this process or to the launcher
  bool launcher_died = false;  ///< the launcher died of that signal, which nobody sent to stop the job
  bool put_down = false;       ///< the launcher had to be killed, as it did not end by itself
  OutOfMemory out_of_memory = OutOfMemory::unknown;
  unsigned long processor_seconds = 0;  ///< the limit of a process's processor time; 0: none
};

/// Returns true if the signal is one of a fault or SIGKILL, and not one that asks a job to end in good order.
bool is_sudden_death(int signal);

/// Returns the lost PE, if it had a number, as messages name it.
std::string name_lost_pe(const JobEnd& end);

/// Returns the message about the end; empty if none is due. `launcher`: as the user would type it; `mpi`: the
/// MPI underneath.
std::string describe_end(const JobEnd& end, const std::string& launcher, const std::string& mpi);

}  // namespace skein::launch
