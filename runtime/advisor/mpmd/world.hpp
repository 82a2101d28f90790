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

/// What MPI_COMM_WORLD is replaced with; itself before begin(), and where nothing is reserved.
extern MPI_Comm world_of_application;

inline MPI_Comm of_application(MPI_Comm comm) { return comm == MPI_COMM_WORLD ? world_of_application : comm; }
/// Whether it is the world, by either name.
inline bool is_world(MPI_Comm comm) { return comm == MPI_COMM_WORLD || comm == world_of_application; }
inline bool is_replaced() { return world_of_application != MPI_COMM_WORLD; }

/// Behind the initialisation of MPI; does nothing from the second call on. Collective over the job. On a
/// reserved process it does not return: that one decides (decider.hpp) until the application has come to
/// end(), then finalizes MPI and exits with status 0. Ends the job, saying why, if SKEIN_MPMD cannot be
/// followed.
void begin();

/// Before MPI is finalized; does nothing from the second call on. Waits for all processes of the application.
void end();

}  // namespace skein::mpmd
