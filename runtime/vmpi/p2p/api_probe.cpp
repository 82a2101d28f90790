// SPDX-License-Identifier: Apache-2.0
// MPI_Probe, MPI_Iprobe, and the matched forms MPI_Mprobe, MPI_Improbe, MPI_Mrecv, MPI_Imrecv.
#include "runtime/pe/sync.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/p2p/status.hpp"
#include "runtime/vmpi/record/waits.hpp"

namespace skein::vmpi {
namespace {

int check(const ApiCall& call, int from, int tag, MPI_Comm handle, Comm*& comm) {
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_source(call, comm, from));
  return check_receive_tag(call, comm, tag);
}

void describe(const Unexpected& message, MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  set_null_status(status);
  status->MPI_SOURCE = message.envelope.source;
  status->MPI_TAG = message.envelope.tag;
  set_status_bytes(*status, message.envelope.bytes);
}

Unexpected* wait_for_message(RankState& state, const Pattern& pattern) {
  for (;;) {
    if (Unexpected* message = state.matching.find_unexpected(pattern)) return message;
    Waiter waiter{current_fiber(), 1};
    state.probing = &waiter;
    pe::wait_where_it_may_stop(waiter.left,
                               {"in a probe for a message from %r, %t", {pattern.source, pattern.tag}});
    state.probing = nullptr;
  }
}

/// Looks for a message now, and once more after others ran: a loop around a nonblocking probe must not keep
/// the senders from running.
Unexpected* look_for_message(RankState& state, const Pattern& pattern) {
  if (Unexpected* message = state.matching.find_unexpected(pattern)) return message;
  yield();
  pe::let_stop();
  return state.matching.find_unexpected(pattern);
}

/// Checks the arguments of a receive for a message that a matched probe returned, and gets its data.
int check_matched(const ApiCall& call, const void* buffer, MPI_Count count, MPI_Datatype datatype,
                  const MPI_Message* handle, Unexpected*& message, Data& data) {
  message = call.state.messages.find(*handle);
  if (!message && *handle != MPI_MESSAGE_NO_PROC)
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no message, or one that was received already",
                 static_cast<std::size_t>(handle_value(*handle)));
  return get_data(call, nullptr, buffer, count, datatype, data);
}

/// Returns the communicator that a message came on, or the rank's own self if the program has freed it.
Comm& comm_of(RankState& state, const Unexpected& message) {
  Comm* const comm = find_comm(state, message.probed_on);
  return comm && comm->p2p_context() == message.envelope.context ? *comm : *state.own_self;
}

MPI_Message hand_out(RankState& state, const Comm& comm, Unexpected* message) {
  message->probed_on = comm.handle;
  state.matching.remove_unexpected(message);
  return state.messages.add(message);
}

void start_matched(RankState& state, Request& request, Unexpected* message, MPI_Message* handle) {
  request.pattern = {message->envelope.context, message->envelope.source, message->envelope.tag};
  state.messages.remove(*handle);
  *handle = MPI_MESSAGE_NULL;
  start_matched_receive(request, message);
}

int receive_matched(const char* function, void* buffer, MPI_Count count, MPI_Datatype datatype,
                    MPI_Message* handle, MPI_Status* status) {
  ApiCall call(function);
  Unexpected* message = nullptr;
  Data data;
  SKEIN_TRY(check_matched(call, buffer, count, datatype, handle, message, data));
  if (!message) {
    *handle = MPI_MESSAGE_NULL;
    set_null_status(status);
    return MPI_SUCCESS;
  }
  Request request(call.state, comm_of(call.state, *message), {}, data);
  const RecordedCall recorded(call.state);
  start_matched(call.state, request, message, handle);
  wait_for_message(request,
                   {"in a matched receive from %r, %t", {request.pattern.source, request.pattern.tag}});
  recorded.was(request);
  return finish_receive(call, request, status);
}

int start_matched_receive_call(const char* function, void* buffer, MPI_Count count, MPI_Datatype datatype,
                               MPI_Message* handle, MPI_Request* out) {
  ApiCall call(function);
  Unexpected* message = nullptr;
  Data data;
  SKEIN_TRY(check_matched(call, buffer, count, datatype, handle, message, data));
  SKEIN_TRY(check_pointer(call, nullptr, out, "request"));
  Comm& comm = message ? comm_of(call.state, *message) : *call.state.own_self;
  Request& request = new_request(call.state, comm, Pattern{}, data);
  *out = RequestTable::handle_of(request);
  if (message) {
    if (trace::recording) {
      request.pattern = {message->envelope.context, message->envelope.source, message->envelope.tag};
      record_start(request);
    }
    start_matched(call.state, request, message, handle);
    return MPI_SUCCESS;
  }
  *handle = MPI_MESSAGE_NULL;
  request.pattern.source = MPI_PROC_NULL;
  return start(call, request);
}

/// Returns the result of probes for MPI_PROC_NULL. `message`: of matched probes, else null.
int find_nobody(MPI_Message* message, MPI_Status* status) {
  if (message) *message = MPI_MESSAGE_NO_PROC;
  set_null_status(status);
  return MPI_SUCCESS;
}

int probe(const char* function, int source, int tag, MPI_Comm handle, MPI_Message* message,
          MPI_Status* status) {
  ApiCall call(function, Outside::shows_in_handle);
  SKEIN_GET(Comm*, comm, check(call, source, tag, handle, comm));
  if (source == MPI_PROC_NULL) return find_nobody(message, status);
  const RecordedCall recorded(call.state);
  Unexpected* const found = wait_for_message(call.state, {comm->p2p_context(), source, tag});
  recorded.found(call.state, *comm, found->envelope);
  describe(*found, status);
  if (message) *message = hand_out(call.state, *comm, found);
  return MPI_SUCCESS;
}

int probe_now(const char* function, int source, int tag, MPI_Comm handle, int* flag, MPI_Message* message,
              MPI_Status* status) {
  ApiCall call(function, Outside::shows_in_handle);
  SKEIN_GET(Comm*, comm, check(call, source, tag, handle, comm));
  *flag = 1;
  if (source == MPI_PROC_NULL) return find_nobody(message, status);
  const RecordedTest recorded(call.state);
  Unexpected* const found = look_for_message(call.state, {comm->p2p_context(), source, tag});
  *flag = found != nullptr;
  if (!found) {
    recorded.was_in_vain(call.state);
    return MPI_SUCCESS;
  }
  recorded.found(call.state, *comm, found->envelope);
  describe(*found, status);
  if (message) *message = hand_out(call.state, *comm, found);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

#include "mpi_forwards_probes.inc"
