// SPDX-License-Identifier: Apache-2.0
// Requests as objects: MPI_Start, MPI_Cancel, MPI_Request_free.
#include <span>

#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/request.hpp"
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

/// Looks for messages, and lets the receivers' PEs catch up, after several starts.
[[gnu::noinline]] void look_and_let_catch_up(std::span<const MPI_Request> started) {
  const fiber::RuntimeScope runtime;
  poll_if_due();
  for (const MPI_Request handle : started) {
    const Request* const request = current_state().requests.find(handle);
    if (request && request->kind == RequestKind::send)
      let_receiver_catch_up(*request->comm, request->sent.to);
  }
}

/// Starts persistent requests of any kind.
[[gnu::noinline]] int start_any(const char* function, std::span<const MPI_Request> handles) {
  ApiCall call(function, Outside::shows_in_handle);
  for (const MPI_Request handle : handles) SKEIN_TRY(start_persistent(call, handle));
  return MPI_SUCCESS;
}

/// Starts persistent requests, without an ApiCall as long as they are inactive messages that are tied.
template <bool recorded>
[[gnu::always_inline]] inline int start_tied_ones(const char* function,
                                                  std::span<const MPI_Request> handles) {
  RankState& state = current_state();
  const RequestTable::Finder find = settings.checking ? RequestTable::Finder() : state.requests.finder();
  for (std::size_t i = 0; i < handles.size(); ++i) {
    Request* const request = find.room_of(handles[i]);
    const Flags flags = request ? flags_of(*request) : 0;
    Tie* const tie = is_idle_persistent(flags) ? tie_of_message(*request) : nullptr;
    if (!tie) [[unlikely]] {
      SKEIN_TRY(start_any(function, handles.subspan(i)));
      break;
    }
    if (recorded) record_start_again(*request, state);
    start_tied(*request, *tie, state, started(flags));
  }
  if (--fiber::thread_block.calls_until_look == 0) [[unlikely]]
    look_and_let_catch_up(handles);
  return MPI_SUCCESS;
}
[[gnu::noinline]] int start_all_recorded(const char* function, std::span<const MPI_Request> handles) {
  return start_tied_ones<true>(function, handles);
}
[[gnu::always_inline]] inline int start_all(const char* function, std::span<const MPI_Request> handles) {
  if (trace::recording) [[unlikely]]
    return start_all_recorded(function, handles);
  return start_tied_ones<false>(function, handles);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Start(MPI_Request* request) {
  if (!request) {
    ApiCall call("MPI_Start", Outside::shows_in_handle);
    return check_pointer(call, nullptr, request, "request");
  }
  return start_all("MPI_Start", {request, 1});
}
int MPI_Startall(int count, MPI_Request array_of_requests[]) {
  if (count <= 0) {
    ApiCall call("MPI_Startall", Outside::shows_in_handle);
    return check_request_count(call, count);
  }
  return start_all("MPI_Startall", {array_of_requests, static_cast<std::size_t>(count)});
}

int MPI_Request_free(MPI_Request* handle) {
  ApiCall call("MPI_Request_free");
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  Request* const request = call.state.requests.find(*handle);
  if (!request)
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no request, or one that has completed already",
                 static_cast<std::size_t>(handle_value(*handle)));
  const bool must_be_awaited =
      runs_on_fiber(*request) || request->kind == RequestKind::joint || is_partitioned(*request);
  if (must_be_awaited && request->active && !request->complete)
    return raise(call, request->comm, MPI_ERR_REQUEST,
                 "a nonblocking collective or a partitioned transfer under way cannot be freed");
  untie(*request);
  take_copy(*request);
  request->holder = Holder::nobody;
  *handle = MPI_REQUEST_NULL;
  if (request->active && !request->complete) return MPI_SUCCESS;
  if (skein::trace::recording && request->active) record_freed(*request);
  release_request(*request);
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request* handle) {
  ApiCall call("MPI_Cancel");
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  SKEIN_GET(Request*, request, get_active(call, *handle, request));
  if (!request) return raise(call, nullptr, MPI_ERR_REQUEST, "the request is not active");
  untie(*request);
  switch (request->kind) {
    case RequestKind::generalized:
      return cancel_generalized(*request);
    case RequestKind::send:
      // The data in the attached buffer is sent without this request, which completes.
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
    case RequestKind::joint:
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
