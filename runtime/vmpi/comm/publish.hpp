// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// Gives a new communicator its handle, and the error handler of the one it comes from.
MPI_Comm publish_comm(RankState& state, Comm& comm, const Comm& parent);

/// MPI_Comm_split on checked arguments; collective over `parent`.
int split(const ApiCall& call, Comm& parent, int color, int key, MPI_Comm* out);

}  // namespace skein::vmpi
