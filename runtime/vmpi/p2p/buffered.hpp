// SPDX-License-Identifier: Apache-2.0
// Buffered sends. A copy of the data is made in the rank's slot, and goes to the receiver's as any message's
// does; the buffer that the program attached is only accounted for (attached_buffer.hpp).
//
// A message takes room in that buffer until it is received: the sends of the model implementation need not
// complete before. Its data leaves earlier where it can; flushing and detaching wait for that only, and then
// nothing is in use: a program may well receive its own message after it has detached the buffer.
//
// A send goes by the buffer of its communicator, or else of the session that the communicator comes from, or
// else of the rank: whichever is attached (MPI 4.1, 3.6).
#pragma once

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/data.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Complete on return. May switch, where the attached buffer seems to be full. Raises MPI_ERR_BUFFER when the
/// attached buffer has no room.
int buffered_send(const ApiCall& call, Comm& comm, const Data& data, int to, int tag);

/// What the functions of api_attached.cpp are made of. All but attach_buffer() and flush_later() wait until
/// the data of all sends has left, and may switch.
[[nodiscard]] int attach_buffer(const ApiCall& call, BufferPool& pool, void* buffer, MPI_Count bytes);
void detach_buffer(RankState& state, BufferPool& pool, void* buffer_address, MPI_Count& bytes);
void flush_buffer(RankState& state, BufferPool& pool);
Request& flush_later(RankState& state, BufferPool& pool);

/// What a communicator or a session that ends does: waits until all data has left, and lets go of the pool.
/// May switch.
void detach_buffers(RankState& state, BufferPool*& pool);

/// The data of a buffered send has left, and its receiver will tell when it was received.
void buffered_data_left(Request& send);
/// Frees what the request of a buffered send holds: it was received. When the request is released.
void release_buffered(Request& send);

}  // namespace skein::vmpi
