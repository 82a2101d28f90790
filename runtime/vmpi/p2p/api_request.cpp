// SPDX-License-Identifier: Apache-2.0
// Requests as objects: MPI_Start, MPI_Cancel, MPI_Request_free.
#include <span>

#include "runtime/vmpi/p2p/cancel.hpp"
#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/generalized.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {
namespace {

int start_persistent(const ApiCall& call, MPI_Request handle) {
  Request* const request = call.state.requests.find(handle);
  if (!request || !is_persistent(*request)) {
    require_running(call);
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no persistent request",
                 static_cast<std::size_t>(handle_value(handle)));
  }
  if (request->active)
    return raise(call, request->comm, MPI_ERR_REQUEST, "the persistent request is active already");
  request->ended = Ended::well;
  if (request->kind > RequestKind::receive || !tie_of(*request)) return start(call, *request);
  start_again(*request);
  return MPI_SUCCESS;
}

/// pass() after starts.
inline void pass(const ApiCall& call, std::span<const MPI_Request> started) {
  if (!poll_in_passing()) [[likely]]
    return;
  for (const MPI_Request handle : started) {
    const Request* const request = call.state.requests.find(handle);
    if (request && request->kind == RequestKind::send)
      let_receiver_catch_up(*request->comm, request->sent.to);
  }
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Start(MPI_Request* request) {
  ApiCall call("MPI_Start", Outside::shows_in_handle);
  SKEIN_TRY(check_pointer(call, nullptr, request, "request"));
  SKEIN_TRY(start_persistent(call, *request));
  pass(call, {request, 1});
  return MPI_SUCCESS;
}
int MPI_Startall(int count, MPI_Request array_of_requests[]) {
  ApiCall call("MPI_Startall", Outside::shows_in_handle);
  SKEIN_TRY(check_request_count(call, count));
  for (int i = 0; i < count; ++i) SKEIN_TRY(start_persistent(call, array_of_requests[i]));
  pass(call, {array_of_requests, static_cast<std::size_t>(count)});
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* handle) {
  ApiCall call("MPI_Request_free");
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  Request* const request = call.state.requests.find(*handle);
  if (!request)
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no request, or one that has completed already",
                 static_cast<std::size_t>(handle_value(*handle)));
  if (runs_on_fiber(*request) && request->active && !request->complete)
    return raise(call, request->comm, MPI_ERR_REQUEST,
                 "a nonblocking collective or a partitioned transfer under way cannot be freed");
  untie(*request);
  take_copy(*request);
  request->holder = Holder::nobody;
  *handle = MPI_REQUEST_NULL;
  if (!request->active || request->complete) release_request(*request);
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request* handle) {
  ApiCall call("MPI_Cancel");
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  Request* request = nullptr;
  SKEIN_TRY(get_active(call, *handle, request));
  if (!request) return raise(call, nullptr, MPI_ERR_REQUEST, "the request is not active");
  untie(*request);
  switch (request->kind) {
    case RequestKind::generalized:
      return cancel_generalized(*request);
    case RequestKind::send:
      // What is in the attached buffer is on its way without this request; it completes.
      if (request->mode != SendMode::buffered && request->sent.to != MPI_PROC_NULL) cancel_send(*request);
      break;
    case RequestKind::receive:
      if (request->complete || !call.state.matching.withdraw(*request)) break;
      request->ended = Ended::cancelled;
      complete(*request);
      break;
    case RequestKind::exchange:
    case RequestKind::file:
      break;
    case RequestKind::collective:
      return raise(call, request->comm, MPI_ERR_REQUEST, "a collective cannot be cancelled");
    case RequestKind::one_sided:
      return raise(call, request->comm, MPI_ERR_REQUEST, "a one-sided operation cannot be cancelled");
    case RequestKind::partitioned_send:
    case RequestKind::partitioned_receive:
      return raise(call, request->comm, MPI_ERR_REQUEST, "a partitioned transfer cannot be cancelled");
  }
  if (skein::trace::recording && was_cancelled(*request)) record_cancelled(*request);
  return MPI_SUCCESS;
}

}  // extern "C"
