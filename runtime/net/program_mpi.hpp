// SPDX-License-Identifier: Apache-2.0
// Facts about the MPI underneath for callers that do not call it: who owns it, and whether other threads than
// the PE's own may call it, on communicators that the PE's own leaves alone meanwhile.
#pragma once

namespace skein::net {

/// Returns true if the program has initialised the MPI underneath, and not finalised it.
bool program_initialised_mpi();
/// Returns true if the job runs in a program with its own MPI: start_on() began it.
bool program_has_mpi();
/// Returns this process's rank in MPI_COMM_WORLD.
int process_rank();

/// Allows other threads to call MPI; messages take a little longer. Called on all PEs before start(), which
/// throws skein::Error where that MPI cannot; or after start_on(), when this function throws, as MPI is
/// already initialised.
void let_threads_call_mpi();
bool threads_call_mpi();
/// Checks, after start_on() and before another thread begins that does not call MPI, that it may run: throws
/// skein::Error where the program has initialised MPI for one thread.
void let_threads_run();

}  // namespace skein::net
