// SPDX-License-Identifier: Apache-2.0
// Attaching, detaching and flushing buffers of a rank, a communicator or a session (MPI 4.1, 3.6).
#include <new>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"

namespace skein::vmpi {
namespace {

/// The place of the pool of a rank, a communicator or a session: `place` if the pool can come and go, else
/// `pool`.
struct Place {
  BufferPool* pool = nullptr;
  BufferPool** place = nullptr;
};

int get_place(const ApiCall& call, Place& found) {
  found.pool = &call.state.buffers;
  return MPI_SUCCESS;
}
int get_place(const ApiCall& call, Place& found, MPI_Comm handle) {
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  found.place = &comm->buffers;
  found.pool = comm->buffers;
  return MPI_SUCCESS;
}
int get_place(const ApiCall& call, Place& found, MPI_Session handle) {
  SKEIN_GET(Session*, session, get_session(call, handle, session));
  found.place = &session->buffers;
  found.pool = session->buffers;
  return MPI_SUCCESS;
}

template <class... Object>
int attach(const char* function, void* buffer, MPI_Count bytes, Object... object) {
  ApiCall call(function);
  Place at;
  SKEIN_TRY(get_place(call, at, object...));
  if (at.pool) return attach_buffer(call, *at.pool, buffer, bytes);
  std::pmr::memory_resource& memory = call.state.memory;
  at.pool = new (memory.allocate(sizeof(BufferPool), alignof(BufferPool))) BufferPool(memory);
  const int error = attach_buffer(call, *at.pool, buffer, bytes);
  if (error == MPI_SUCCESS)
    *at.place = at.pool;
  else
    detach_buffers(call.state, at.pool);
  return error;
}

/// Detaches a buffer. If none is attached, returns a null pointer and size 0.
template <class Size, class... Object>
int detach(const char* function, void* buffer_address, Size* size, Object... object) {
  ApiCall call(function);
  Place at;
  SKEIN_TRY(get_place(call, at, object...));
  MPI_Count bytes = 0;
  *static_cast<void**>(buffer_address) = nullptr;
  if (at.pool) detach_buffer(call.state, *at.pool, buffer_address, bytes);
  if (at.pool && at.place) detach_buffers(call.state, *at.place);
  *size = static_cast<Size>(bytes);
  return MPI_SUCCESS;
}

template <class... Object>
int flush(const char* function, Object... object) {
  ApiCall call(function);
  Place at;
  SKEIN_TRY(get_place(call, at, object...));
  if (at.pool) flush_buffer(call.state, *at.pool);
  return MPI_SUCCESS;
}

template <class... Object>
int iflush(const char* function, MPI_Request* request, Object... object) {
  ApiCall call(function);
  Place at;
  SKEIN_TRY(get_place(call, at, object...));
  // If no buffer is attached, nothing is under way, and the request is complete at once.
  BufferPool nothing(call.state.memory);
  *request = RequestTable::handle_of(flush_later(call.state, at.pool ? *at.pool : nothing));
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_forwards_buffers.inc"
