// SPDX-License-Identifier: Apache-2.0
// MPI_Recv, MPI_Irecv, MPI_Recv_init, each with int and with MPI_Count arguments.
#include "runtime/vmpi/p2p/arguments.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/p2p/status.hpp"
#include "runtime/vmpi/record/waits.hpp"

namespace skein::vmpi {
namespace {

Pattern taken_by(const Comm& comm, const MessageArguments& message) {
  return {comm.p2p_context(), message.peer, message.tag};
}

WaitReason why_it_waits(const MessageArguments& message) {
  return {"in a receive from %r of its communicator, %t", {message.peer, message.tag}};
}

/// Receives a message in a call that is not common.
[[gnu::noinline]] int receive_any(const char* function, const MessageArguments& message, MPI_Comm handle,
                                  MPI_Status* status) {
  ApiCall call(function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(check_receive(call, message, handle, comm, data));
  if (message.peer == MPI_PROC_NULL) {
    set_null_status(status);
    return MPI_SUCCESS;
  }
  Request request(call.state, *comm, taken_by(*comm, message), data);
  const RecordedCall recorded(call.state);
  start_receive(request);
  wait_for_message(request, why_it_waits(message));
  recorded.was(request);
  return finish_receive(call, request, status);
}

[[gnu::noinline]] int finish_failed(const char* function, const Request& request, MPI_Status* status) {
  ApiCall call(function, Outside::shows_in_handle);
  return finish_receive(call, request, status);
}

[[gnu::always_inline]] inline int receive(const char* function, const MessageArguments& message,
                                          MPI_Comm handle, MPI_Status* status) {
  RankState& state = current_state();
  Comm* const comm = find_comm(state, handle);
  const RepeatableCall wanted = wanted_of(RequestKind::receive, SendMode::standard, message);
  if (!is_common(comm, message, wanted)) [[unlikely]]
    return receive_any(function, {message.buffer, message.count, message.datatype, message.peer, message.tag},
                       handle, status);
  const fiber::RuntimeScope runtime;
  Request request(state, *comm, taken_by(*comm, message), common_data(wanted));
  start_receive(request);
  wait_for_message(request, why_it_waits(message));
  if (request.ended == Ended::failed) [[unlikely]]
    return finish_failed(function, request, status);
  if (status != MPI_STATUS_IGNORE)
    write_status(*status, request.received.source, request.received.tag, request.received.bytes, false);
  return MPI_SUCCESS;
}

/// Makes a request for a receive that is not kept.
[[gnu::noinline]] int make_receive(const char* function, Then then, const MessageArguments& message,
                                   MPI_Comm handle, MPI_Request* out) {
  ApiCall call(function, Outside::shows_in_handle);
  Comm* comm = nullptr;
  Data data;
  SKEIN_TRY(check_receive(call, message, handle, comm, data));
  SKEIN_TRY(check_pointer(call, comm, out, "request"));
  Request& request = make_in_place(
      call.state,
      then == Then::start ? wanted_of(RequestKind::receive, SendMode::standard, message) : RepeatableCall{},
      data, *comm, taken_by(*comm, message), data);
  return hand_out(call, request, then, out);
}

/// Starts the kept request of this call, if there is one, and returns true. Has no ApiCall, as most calls are
/// over before one is needed.
[[gnu::always_inline]] inline bool start_if_kept(const MessageArguments& message, MPI_Comm handle,
                                                 MPI_Request* out) {
  const RepeatableCall wanted = wanted_of(RequestKind::receive, SendMode::standard, message);
  RankState& state = current_state();
  Request* const kept = find_kept(state, wanted, handle);
  if (!kept || !out) [[unlikely]]
    return false;
  start_kept(state, *kept, RequestKind::receive, out);
  return true;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#define SKEIN_RECEIVE(suffix, Count)                                                                         \
  int MPI_Recv##suffix(void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,    \
                       MPI_Status* status) {                                                                 \
    return receive("MPI_Recv" #suffix, {buf, count, datatype, source, tag}, comm, status);                   \
  }                                                                                                          \
  [[gnu::noinline]] static int make_irecv##suffix(void* buf, Count count, MPI_Datatype datatype, int source, \
                                                  int tag, MPI_Comm comm, MPI_Request* request) {            \
    return make_receive("MPI_Irecv" #suffix, Then::start, {buf, count, datatype, source, tag}, comm,         \
                        request);                                                                            \
  }                                                                                                          \
  int MPI_Irecv##suffix(void* buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,   \
                        MPI_Request* request) {                                                              \
    if (start_if_kept({buf, count, datatype, source, tag}, comm, request)) [[likely]]                        \
      return MPI_SUCCESS;                                                                                    \
    return make_irecv##suffix(buf, count, datatype, source, tag, comm, request);                             \
  }                                                                                                          \
  int MPI_Recv_init##suffix(void* buf, Count count, MPI_Datatype datatype, int source, int tag,              \
                            MPI_Comm comm, MPI_Request* request) {                                           \
    return make_receive("MPI_Recv_init" #suffix, Then::keep_inactive, {buf, count, datatype, source, tag},   \
                        comm, request);                                                                      \
  }

extern "C" {

SKEIN_RECEIVE(, int)
SKEIN_RECEIVE(_c, MPI_Count)

}  // extern "C"
