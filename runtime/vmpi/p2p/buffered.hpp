// SPDX-License-Identifier: Apache-2.0
// Buffered sends. A copy of the data is made in the rank's slot, and goes to the receiver's as any message's
// does; the buffer that the program attached is only accounted for (attached_buffer.hpp).
//
// A message takes room in that buffer until it is received: the sends of the model implementation need not
// complete before. Its data leaves earlier where it can; flushing and detaching wait for that only, and then
// nothing is in use: a program may well receive its own message after it has detached the buffer.
#pragma once

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/data.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Registers the transport's handlers. Once, on every PE.
void start_buffering();

/// Complete on return. May switch, where the attached buffer seems to be full. Raises MPI_ERR_BUFFER when the
/// attached buffer has no room.
int buffered_send(const ApiCall& call, Comm& comm, const Data& data, int to, int tag);

/// The data of a buffered send has left, and its receiver will tell when it was received.
void buffered_data_left(Request& send);
/// Frees what the request of a buffered send holds: it was received. When the request is released.
void release_buffered(Request& send);

}  // namespace skein::vmpi
