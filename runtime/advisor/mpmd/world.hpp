// SPDX-License-Identifier: Apache-2.0
// Two worlds made of one: the last processes of the job are reserved, and MPI_COMM_WORLD means the others.
//
//   of the job        n processes of the application | m reserved ones
//   application       MPI_COMM_WORLD, in whatever function it is given to; a group of n
//   reserved          the same name means these; they never come back from MPI_Init
//
// After O. Pearce et al. (include/skein/lb/mode.hpp). SKEIN_MPMD=MODE says how many are reserved and what
// for. With mode decoupled none are: the last processes decide, and the world is that of the job.
#pragma once
#include <mpi.h>

namespace skein::mpmd {

/// The replacement of MPI_COMM_WORLD; that itself before begin(), and if no process is reserved.
extern MPI_Comm world_of_application;

inline MPI_Comm of_application(MPI_Comm comm) { return comm == MPI_COMM_WORLD ? world_of_application : comm; }
/// Returns true if the communicator is the world, by either name.
inline bool is_world(MPI_Comm comm) { return comm == MPI_COMM_WORLD || comm == world_of_application; }
inline bool is_replaced() { return world_of_application != MPI_COMM_WORLD; }

/// Makes the worlds, after the initialisation of MPI; does nothing from the second call on. Collective over
/// the job. Does not return on a reserved process: that decides (decider.hpp) until the application has come
/// to end(), then finalizes MPI and exits with status 0. Ends the job with the reason if SKEIN_MPMD cannot be
/// followed.
void begin();

/// Waits, before MPI is finalized, for all processes of the application; does nothing from the second call
/// on.
void end();

}  // namespace skein::mpmd
