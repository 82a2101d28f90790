// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/buffered.hpp"

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {
namespace {

int attach(const char* function, void* buffer, std::size_t bytes) {
  ApiCall call(function);
  if (call.state.attached_buffer) return raise(call, nullptr, MPI_ERR_BUFFER, "a buffer is attached already");
  call.state.attached_buffer = buffer;
  call.state.attached_bytes = bytes;
  return MPI_SUCCESS;
}

/// Starts a request that is complete once everything buffered has left.
void start_flush(Request& request) {
  RankState& state = *request.owner;
  request.active = true;
  if (state.attached_in_use == 0) {
    complete(request);
    return;
  }
  request.listed.next = state.flushes;
  state.flushes = &request;
}

void drain(RankState& state) {
  Request request(state, *state.self, {}, MPI_PROC_NULL, {});
  start_flush(request);
  wait_for(request, {"in a flush of its attached buffer", {}});
}

int detach(const char* function, void* buffer_address, std::size_t& bytes) {
  ApiCall call(function);
  drain(call.state);
  *static_cast<void**>(buffer_address) = call.state.attached_buffer;
  bytes = call.state.attached_bytes;
  call.state.attached_buffer = nullptr;
  call.state.attached_bytes = 0;
  return MPI_SUCCESS;
}

}  // namespace

void buffer_emptied(RankState& state) {
  Request* request = state.flushes;
  state.flushes = nullptr;
  while (request) {
    Request* const next = request->listed.next;
    complete(*request);
    request = next;
  }
}

int buffered_send(const ApiCall& call, Comm& comm, const Data& data, int to, int tag) {
  RankState& state = call.state;
  const std::size_t needed = data.bytes + MPI_BSEND_OVERHEAD;
  if (state.attached_buffer != MPI_BUFFER_AUTOMATIC && state.attached_in_use + needed > state.attached_bytes)
    return raise(
        call, &comm, MPI_ERR_BUFFER,
        "%zu bytes and MPI_BSEND_OVERHEAD do not fit the attached buffer: %zu of its %zu bytes are in use",
        data.bytes, state.attached_in_use, state.attached_bytes);
  auto* const copy = static_cast<std::byte*>(state.memory.allocate(data.bytes + 1, 16));
  data.pack(0, copy, data.bytes);
  Request& send = new_request(state, comm, Pattern{comm.p2p_context(), comm.rank, tag}, to,
                              byte_data(copy, data.bytes), SendMode::buffered);
  send.holder = Holder::nobody;
  send.part = copy;
  state.attached_in_use += needed;
  start_send(send);
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Buffer_attach(void* buffer, int size) {
  return attach("MPI_Buffer_attach", buffer, static_cast<std::size_t>(size));
}
int MPI_Buffer_attach_c(void* buffer, MPI_Count size) {
  return attach("MPI_Buffer_attach_c", buffer, static_cast<std::size_t>(size));
}
int MPI_Buffer_detach(void* buffer_addr, int* size) {
  std::size_t bytes = 0;
  const int error = detach("MPI_Buffer_detach", buffer_addr, bytes);
  *size = static_cast<int>(bytes);
  return error;
}
int MPI_Buffer_detach_c(void* buffer_addr, MPI_Count* size) {
  std::size_t bytes = 0;
  const int error = detach("MPI_Buffer_detach_c", buffer_addr, bytes);
  *size = static_cast<MPI_Count>(bytes);
  return error;
}
int MPI_Buffer_flush(void) {
  ApiCall call("MPI_Buffer_flush");
  drain(call.state);
  return MPI_SUCCESS;
}
int MPI_Buffer_iflush(MPI_Request* out) {
  ApiCall call("MPI_Buffer_iflush");
  SKEIN_TRY(check_pointer(call, nullptr, out, "request"));
  RankState& state = call.state;
  Request& request = new_request(state, *state.self, Pattern{}, MPI_PROC_NULL, Data{});
  *out = RequestTable::handle_of(request);
  start_flush(request);
  return MPI_SUCCESS;
}

}  // extern "C"
