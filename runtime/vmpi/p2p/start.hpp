// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/p2p/p2p.hpp"

namespace skein::vmpi {

/// A request of the rank's pool with its handle, holding references to the communicator and the type. Not
/// started.
Request& new_request(RankState& state, Comm& comm, RequestKind kind, const Data& data);

/// Starts what the request describes: a send of any mode, or a receive; with MPI_PROC_NULL for a peer it is
/// complete at once. For nonblocking calls and MPI_Start.
int start(const ApiCall& call, Request& request);

/// What a call that makes a request does with it.
enum class Then { start, keep_inactive };
/// Gives the program the request: started, or inactive and persistent.
int hand_out(const ApiCall& call, Request& request, Then then, MPI_Request* out);

/// After a Wait or Test has taken the result: a persistent request becomes inactive, another one is freed and
/// the program's handle set to MPI_REQUEST_NULL.
void retire(Request& request, MPI_Request* handle);

}  // namespace skein::vmpi
