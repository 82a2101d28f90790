// SPDX-License-Identifier: Apache-2.0
// The MPI underneath as this process has it: who initialised it, and the communicator whose processes are the
// PEs. For runtime/net/ alone.
#pragma once

#include <mpi.h>

#include "runtime/base/check.hpp"

/// Makes a call of the MPI underneath that must succeed. Its communicators abort on errors, so the check
/// fails only where that MPI returns an error from a call without a communicator.
#define SKEIN_MPI_CALL(call)                                                         \
  do {                                                                               \
    const int skein_mpi_status = (call);                                             \
    SKEIN_CHECK(skein_mpi_status == MPI_SUCCESS, "%s: %d", #call, skein_mpi_status); \
  } while (0)

namespace skein::net {

struct MpiProcess {
  /// The communicator of the PEs, from initialise_mpi() or join_processes() to leave_processes(). It carries
  /// no message of the program: it is MPI_COMM_WORLD itself only where that MPI is Skein's alone.
  MPI_Comm pes = MPI_COMM_NULL;
  bool of_program = false;       ///< the program has initialised that MPI
  bool several_threads = false;  ///< several threads are to call it
};
extern MpiProcess mpi_process;

/// Initialises that MPI, which ends with the job; all processes become PEs. Throws skein::Error.
void initialise_mpi(int* argc, char*** argv);
/// Joins processes of a program that has initialised that MPI and will finalise it. Collective over the
/// communicator. Throws skein::Error, on every process that can know, if the communicator cannot be a job's.
void join_processes(MPI_Comm communicator);
void leave_processes();

/// Returns the number of processes of this node that MPI's launcher has started, as far as it says so; at
/// least 1.
int processes_of_node();

}  // namespace skein::net
