// SPDX-License-Identifier: Apache-2.0
// Jobs inside an MPI program: the program initialises MPI, runs jobs on its communicators, and goes on.
#pragma once

#include <mpi.h>

#include "skein/job.hpp"

namespace skein {

/// run() on the processes of this communicator: they are the PEs, by their ranks in it. Collective over it;
/// others may have jobs of their own meanwhile. The job's messages are on communicators of its own: the
/// program may call MPI in entry methods, as before and after. MPI is not finalised. Options and the status
/// are those of run(argc, argv, begin); it is 2, with a message, where a job cannot be started: on
/// MPI_COMM_NULL, an intercommunicator, before MPI_Init() or after MPI_Finalize().
int run(MPI_Comm communicator, int argc, char** argv, const std::function<void(Job&)>& begin);

}  // namespace skein
