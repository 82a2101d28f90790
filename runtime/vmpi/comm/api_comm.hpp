// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// Gives a new communicator its handle, and the error handler of the one it comes from.
MPI_Comm publish_comm(RankState& state, Comm& comm, const Comm& parent);

/// How the leaders of two groups that are to become an intercommunicator reach each other. Of the leader
/// only.
struct Bridge {
  Comm* peer = nullptr;
  int remote_leader = MPI_PROC_NULL;  ///< rank in `peer`
  int tag = 0;
  int error = MPI_SUCCESS;    ///< that was raised: there is none
  std::int64_t context = -1;  ///< of their messages; -1: the peer's bridge_context()
};

/// MPI_Intercomm_create; collective over `local`.
int create_intercomm(const ApiCall& call, Comm& local, int local_leader, const Bridge& bridge, MPI_Comm* out);

/// MPI_Comm_split on checked arguments; collective over `parent`.
int split(const ApiCall& call, Comm& parent, int color, int key, MPI_Comm* out);

}  // namespace skein::vmpi
