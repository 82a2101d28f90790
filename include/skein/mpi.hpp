// SPDX-License-Identifier: Apache-2.0
// Jobs inside an MPI program: the program initialises MPI, runs jobs on its communicators, and continues.
#pragma once

#include <mpi.h>

#ifdef SKEIN_MPI
#error skein/mpi.hpp is for programs compiled with the MPI that Skein was built with (mpicxx). This is the mpi.h of virtual ranks, of skeincxx: a job has ranks or elements, not both
#endif

#include "skein/job.hpp"

namespace skein {

/// Runs a job on the processes of this communicator: they are the PEs, by their ranks in it. Collective over
/// it; other processes may run jobs of their own meanwhile. The job's messages are on its own communicators,
/// so the program may call MPI in entry methods, before and after. MPI is not finalised. Options and the
/// status are those of run(argc, argv, begin); the status is 2, with a message, where a job cannot be
/// started: on MPI_COMM_NULL, an intercommunicator, before MPI_Init() or after MPI_Finalize().
int run(MPI_Comm communicator, int argc, char** argv, const std::function<void(Job&)>& begin);

}  // namespace skein
