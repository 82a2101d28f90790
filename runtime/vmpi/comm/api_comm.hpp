// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// Gives a new communicator its handle, and the error handler of its parent.
MPI_Comm publish_comm(RankState& state, Comm& comm, const Comm& parent);

/// The connection between the leaders of two groups that are to become an intercommunicator. For the leader
/// only.
struct Bridge {
  Comm* peer = nullptr;
  int remote_leader = MPI_PROC_NULL;  ///< rank in `peer`
  int tag = 0;
  int error = MPI_SUCCESS;    ///< raised error: there is no other leader
  std::int64_t context = -1;  ///< of the leaders' messages; -1: the peer's bridge_context()
};

/// Creates an intercommunicator, for MPI_Intercomm_create; collective over `local`.
int create_intercomm(const ApiCall& call, Comm& local, int local_leader, const Bridge& bridge, MPI_Comm* out);

/// Splits a communicator, for MPI_Comm_split, with checked arguments; collective over `parent`.
int split(const ApiCall& call, Comm& parent, int color, int key, MPI_Comm* out);

}  // namespace skein::vmpi
