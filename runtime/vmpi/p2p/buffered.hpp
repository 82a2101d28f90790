// SPDX-License-Identifier: Apache-2.0
// Buffered sends. The data is copied into the rank's slot, and goes from there to the receiver like any other
// message; the buffer that the program attached is only accounted for (attached_buffer.hpp).
//
// A message takes room in that buffer until it is received, as the model implementation need not complete its
// send earlier. The data leaves earlier if it can. Flushing and detaching wait only for that, and then count
// nothing as in use: a program may receive its own message after it has detached the buffer.
//
// A send uses the buffer of its communicator, or else of the session that the communicator comes from, or
// else of the rank: the first of these that is attached (MPI 4.1, 3.6).
#pragma once

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/data.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Sends from the attached buffer; the send is complete on return. May switch if the buffer seems to be full.
/// Raises MPI_ERR_BUFFER if the buffer has no room.
int buffered_send(const ApiCall& call, Comm& comm, const Data& data, int to, int tag);

/// The bodies of the functions of api_attached.cpp. All but attach_buffer() and flush_later() wait until the
/// data of all buffered sends has left, and may switch.
[[nodiscard]] int attach_buffer(const ApiCall& call, BufferPool& pool, void* buffer, MPI_Count bytes);
void detach_buffer(RankState& state, BufferPool& pool, void* buffer_address, MPI_Count& bytes);
void flush_buffer(RankState& state, BufferPool& pool);
Request& flush_later(RankState& state, BufferPool& pool);

/// Waits until the data of all sends of the pool has left, and releases the pool of a communicator or session
/// that ends. May switch.
void detach_buffers(RankState& state, BufferPool*& pool);

/// Notes that the data of a buffered send has left. Its receiver will tell when the message was received.
void buffered_data_left(Request& send);
/// Frees what the request of a buffered send holds; the message was received and the request is being
/// released.
void release_buffered(Request& send);

}  // namespace skein::vmpi
