// SPDX-License-Identifier: Apache-2.0
// Whether another thread than the PE's own may call the MPI underneath, on a communicator that the PE's own
// leaves alone meanwhile.
#pragma once

namespace skein::net {

/// Before start(), on all PEs; start() throws skein::Error where that MPI cannot. After start_on(), which
/// finds MPI initialised, this does. Messages take a little longer.
void let_threads_call_mpi();
bool threads_call_mpi();
/// After start_on(), before another thread begins that does not call MPI: throws skein::Error where the
/// program has initialised MPI for one thread.
void let_threads_run();

}  // namespace skein::net
