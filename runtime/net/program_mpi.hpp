// SPDX-License-Identifier: Apache-2.0
// The MPI underneath as those see it who do not call it: whose it is, and whether other threads than the PE's
// own may call it, on communicators that the PE's own leaves alone meanwhile.
#pragma once

namespace skein::net {

/// Whether the program has initialised the MPI underneath, and not finalised it.
bool program_initialised_mpi();
/// Whether the job runs in such a program: start_on().
bool program_has_mpi();
/// This process's rank in MPI_COMM_WORLD.
int process_rank();

/// Before start(), on all PEs; start() throws skein::Error where that MPI cannot. After start_on(), which
/// finds MPI initialised, this does. Messages take a little longer.
void let_threads_call_mpi();
bool threads_call_mpi();
/// After start_on(), before another thread begins that does not call MPI: throws skein::Error where the
/// program has initialised MPI for one thread.
void let_threads_run();

}  // namespace skein::net
