// SPDX-License-Identifier: Apache-2.0
// Sends of all modes: blocking, nonblocking and persistent, each with int and with MPI_Count arguments.
#include "runtime/vmpi/p2p/arguments.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/record/waits.hpp"

namespace skein::vmpi {
namespace {

Pattern identity_of(const Comm& comm, const MessageArguments& message) {
  return {comm.p2p_context(), comm.rank, message.tag};
}

int send_buffered(const char* function, const MessageArguments& message, MPI_Comm handle) {
  ApiCall call(function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(check_send(call, message, handle, comm, data));
  if (message.peer == MPI_PROC_NULL) return MPI_SUCCESS;
  record_buffered_send(call.state, *comm, message.peer, message.tag, data.bytes);
  return buffered_send(call, *comm, data, message.peer, message.tag);
}

/// Sends a message in a call that is not common.
[[gnu::noinline]] int send_any(const char* function, SendMode mode, const MessageArguments& message,
                               MPI_Comm handle) {
  ApiCall call(function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(check_send(call, message, handle, comm, data));
  if (message.peer == MPI_PROC_NULL) return MPI_SUCCESS;
  Request request(call.state, *comm, identity_of(*comm, message), message.peer, data, mode);
  const RecordedCall recorded(call.state);
  start_send(request);
  if (request.complete)
    pass(*comm, message.peer);
  else
    wait_for_message(request, why_it_waits(request));
  recorded.was(request);
  return MPI_SUCCESS;
}

/// Sends. Compiled for each function: constants cost nothing, and arguments stay in registers.
[[gnu::always_inline]] inline int send(const char* function, SendMode mode, const MessageArguments& message,
                                       MPI_Comm handle) {
  const MessageArguments again{message.buffer, message.count, message.datatype, message.peer, message.tag};
  if (mode == SendMode::buffered) return send_buffered(function, again, handle);
  RankState& state = current_state();
  Comm* const comm = find_comm(state, handle);
  const RepeatableCall wanted = wanted_of(RequestKind::send, mode, message);
  if (!is_common(comm, message, wanted)) [[unlikely]]
    return send_any(function, mode, again, handle);
  const fiber::RuntimeScope runtime;
  if (mode == SendMode::standard &&
      send_at_once(state, *comm, message.peer, message.tag, common_data(wanted))) {
    pass(*comm, message.peer);
    return MPI_SUCCESS;
  }
  Request request(state, *comm, identity_of(*comm, message), message.peer, common_data(wanted), mode);
  start_send(request);
  if (request.complete) [[likely]]
    pass(*comm, message.peer);
  else
    wait_for_message(request, why_it_waits(request));
  return MPI_SUCCESS;
}

/// Makes a request for a send that is not kept.
[[gnu::noinline]] int make_send(const char* function, SendMode mode, Then then,
                                const MessageArguments& message, MPI_Comm handle, MPI_Request* out) {
  ApiCall call(function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(check_send(call, message, handle, comm, data));
  SKEIN_TRY(check_pointer(call, comm, out, "request"));
  if (then == Then::start) pass(*comm, message.peer);
  Request& request = make_in_place(
      call.state, then == Then::start ? wanted_of(RequestKind::send, mode, message) : RepeatableCall{}, data,
      *comm, identity_of(*comm, message), message.peer, data, mode);
  return hand_out(call, request, then, out);
}

/// Starts the kept request of this call, if there is one, and returns true. Has no ApiCall, as most calls are
/// over before one is needed.
[[gnu::always_inline]] inline bool start_if_kept(SendMode mode, const MessageArguments& message,
                                                 MPI_Comm handle, MPI_Request* out) {
  if (mode == SendMode::buffered) return false;
  const RepeatableCall wanted = wanted_of(RequestKind::send, mode, message);
  RankState& state = current_state();
  Request* const kept = find_kept(state, wanted, handle);
  if (!kept || !out) [[unlikely]]
    return false;
  pass_from_program(*kept->comm, message.peer);
  start_kept(state, *kept, RequestKind::send, out);
  return true;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

// Defines the functions of a mode, for example MPI_Ssend, MPI_Issend and MPI_Ssend_init.
#define SKEIN_SEND_WIDTH(Name, lower_name, suffix, mode, Count)                                         \
  int MPI_##Name##suffix(const void* buf, Count count, MPI_Datatype datatype, int dest, int tag,        \
                         MPI_Comm comm) {                                                               \
    return send("MPI_" #Name #suffix, SendMode::mode, {buf, count, datatype, dest, tag}, comm);         \
  }                                                                                                     \
  [[gnu::noinline]] static int make_i##lower_name##suffix(const void* buf, Count count,                 \
                                                          MPI_Datatype datatype, int dest, int tag,     \
                                                          MPI_Comm comm, MPI_Request* request) {        \
    return make_send("MPI_I" #lower_name #suffix, SendMode::mode, Then::start,                          \
                     {buf, count, datatype, dest, tag}, comm, request);                                 \
  }                                                                                                     \
  int MPI_I##lower_name##suffix(const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, \
                                MPI_Comm comm, MPI_Request* request) {                                  \
    if (start_if_kept(SendMode::mode, {buf, count, datatype, dest, tag}, comm, request)) [[likely]]     \
      return MPI_SUCCESS;                                                                               \
    return make_i##lower_name##suffix(buf, count, datatype, dest, tag, comm, request);                  \
  }                                                                                                     \
  int MPI_##Name##_init##suffix(const void* buf, Count count, MPI_Datatype datatype, int dest, int tag, \
                                MPI_Comm comm, MPI_Request* request) {                                  \
    return make_send("MPI_" #Name "_init" #suffix, SendMode::mode, Then::keep_inactive,                 \
                     {buf, count, datatype, dest, tag}, comm, request);                                 \
  }
#define SKEIN_SEND(Name, lower_name, mode)        \
  SKEIN_SEND_WIDTH(Name, lower_name, , mode, int) \
  SKEIN_SEND_WIDTH(Name, lower_name, _c, mode, MPI_Count)

extern "C" {

SKEIN_SEND(Send, send, standard)
SKEIN_SEND(Bsend, bsend, buffered)
SKEIN_SEND(Ssend, ssend, synchronous)
SKEIN_SEND(Rsend, rsend, ready)

}  // extern "C"
