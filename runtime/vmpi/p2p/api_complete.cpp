// SPDX-License-Identifier: Apache-2.0
// MPI_Wait and MPI_Test in all their forms, MPI_Request_free, MPI_Cancel, MPI_Request_get_status.
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/generalized.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

/// Null for MPI_REQUEST_NULL and for inactive persistent requests, which count as complete with an empty
/// status.
int get_active(const ApiCall& call, MPI_Request handle, Request*& request) {
  request = nullptr;
  if (handle == MPI_REQUEST_NULL) return MPI_SUCCESS;
  Request* const found = call.state.requests.find(handle);
  if (!found)
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no request, or one that has completed already",
                 static_cast<std::size_t>(handle_value(handle)));
  if (found->active) request = found;
  return MPI_SUCCESS;
}

/// Hands out the result of a completed request. Returns its error class, not raised.
int take_result(Request& request, MPI_Request* handle, MPI_Status* status) {
  if (request.kind == RequestKind::generalized) query_generalized(request);
  set_status(status, request);
  const int error = request.error;
  retire(request, handle);
  return error;
}

int raise_result(const ApiCall& call, Comm* comm, int error) {
  return error == MPI_SUCCESS ? MPI_SUCCESS : raise(call, comm, error, "the operation has failed");
}

int take_one(const ApiCall& call, Request& request, MPI_Request* handle, MPI_Status* status) {
  if (request.error == MPI_ERR_TRUNCATE && request.kind == RequestKind::receive) {
    const Request copy = request;
    take_result(request, handle, status);
    return raise_truncated(call, copy);
  }
  Comm* const comm = request.comm;
  return raise_result(call, comm, take_result(request, handle, status));
}

/// The status of a request that is complete or inactive and stays as it is.
void show_result(const ApiCall& call, MPI_Request handle, MPI_Status* status) {
  Request* const request = call.state.requests.find(handle);
  if (!request || !request->active) {
    set_empty_status(status);
    return;
  }
  if (request->kind == RequestKind::generalized) query_generalized(*request);
  set_status(status, *request);
}

/// The rank has asked in vain: others must get on, or the answer never changes.
void let_others_run() { yield(); }

WaitReason waiting_for(const char* format, int count) { return {format, {count, 0}}; }

int wait(const ApiCall& call, MPI_Request* handle, MPI_Status* status) {
  Request* request = nullptr;
  SKEIN_TRY(get_active(call, *handle, request));
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  const bool receive = request->kind == RequestKind::receive;
  wait_for(*request, {receive ? "in MPI_Wait for a receive from rank %d, tag %d"
                              : "in MPI_Wait for a send to rank %d, tag %d",
                      {receive ? request->pattern.source : request->peer, request->pattern.tag}});
  return take_one(call, *request, handle, status);
}

/// Blocks until `needed` more of the requests are complete.
void wait_for_some(const ApiCall& call, int count, const MPI_Request* handles, int needed, WaitReason why) {
  Waiter waiter{current_fiber(), needed};
  for (int i = 0; i < count; ++i) {
    Request* const request = call.state.requests.find(handles[i]);
    if (request && request->active && !request->complete) request->waiter = &waiter;
  }
  block(why);
  for (int i = 0; i < count; ++i) {
    Request* const request = call.state.requests.find(handles[i]);
    if (request && request->waiter == &waiter) request->waiter = nullptr;
  }
}

struct Tally {
  int active = 0;
  int complete = 0;
  int first_complete = MPI_UNDEFINED;
};

int tally(const ApiCall& call, int count, const MPI_Request* handles, Tally& out) {
  if (count < 0) return raise(call, nullptr, MPI_ERR_ARG, "the count is %d", count);
  for (int i = 0; i < count; ++i) {
    Request* request = nullptr;
    SKEIN_TRY(get_active(call, handles[i], request));
    if (!request) continue;
    ++out.active;
    if (!request->complete) continue;
    ++out.complete;
    if (out.first_complete == MPI_UNDEFINED) out.first_complete = i;
  }
  return MPI_SUCCESS;
}

MPI_Status* nth(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

/// Takes the results of all; every request is complete or inactive.
int take_all(const ApiCall& call, int count, MPI_Request* handles, MPI_Status* statuses) {
  int errors = 0;
  Comm* comm = nullptr;
  for (int i = 0; i < count; ++i) {
    Request* request = nullptr;
    SKEIN_TRY(get_active(call, handles[i], request));
    MPI_Status* const status = nth(statuses, i);
    if (!request) {
      set_empty_status(status);
      if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
      continue;
    }
    Comm* const request_comm = request->comm;
    const int error = take_result(*request, &handles[i], status);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
    if (error == MPI_SUCCESS) continue;
    ++errors;
    comm = request_comm;
  }
  if (errors == 0) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_IN_STATUS, "%d of %d operations have failed; each status tells its error",
               errors, count);
}

/// Takes the results of those that are complete.
int take_some(const ApiCall& call, int count, MPI_Request* handles, int* outcount, int* indices,
              MPI_Status* statuses) {
  int taken = 0, errors = 0;
  Comm* comm = nullptr;
  for (int i = 0; i < count; ++i) {
    Request* request = nullptr;
    SKEIN_TRY(get_active(call, handles[i], request));
    if (!request || !request->complete) continue;
    Comm* const request_comm = request->comm;
    MPI_Status* const status = nth(statuses, taken);
    const int error = take_result(*request, &handles[i], status);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
    indices[taken++] = i;
    if (error == MPI_SUCCESS) continue;
    ++errors;
    comm = request_comm;
  }
  *outcount = taken;
  if (errors == 0) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_IN_STATUS, "%d of %d operations have failed; each status tells its error",
               errors, taken);
}

/// Polls once, and again after the others ran, before it says no.
template <class Ready>
bool ready_now(Ready ready) {
  if (ready()) return true;
  let_others_run();
  return ready();
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  ApiCall call("MPI_Wait");
  SKEIN_TRY(check_pointer(call, nullptr, request, "request"));
  return wait(call, request, status);
}

int MPI_Test(MPI_Request* handle, int* flag, MPI_Status* status) {
  ApiCall call("MPI_Test");
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  Request* request = nullptr;
  SKEIN_TRY(get_active(call, *handle, request));
  *flag = 1;
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  *flag = ready_now([&] { return request->complete; });
  return *flag ? take_one(call, *request, handle, status) : MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  ApiCall call("MPI_Waitall");
  Tally now;
  SKEIN_TRY(tally(call, count, array_of_requests, now));
  const int missing = now.active - now.complete;
  if (missing > 0)
    wait_for_some(call, count, array_of_requests, missing,
                  waiting_for("in MPI_Waitall for %d operations", missing));
  return take_all(call, count, array_of_requests, array_of_statuses);
}

int MPI_Testall(int count, MPI_Request array_of_requests[], int* flag, MPI_Status* array_of_statuses) {
  ApiCall call("MPI_Testall");
  Tally checked;
  SKEIN_TRY(tally(call, count, array_of_requests, checked));
  *flag = ready_now([&] {
    Tally now;
    (void)tally(call, count, array_of_requests, now);
    return now.active == now.complete;
  });
  return *flag ? take_all(call, count, array_of_requests, array_of_statuses) : MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request array_of_requests[], int* index, MPI_Status* status) {
  ApiCall call("MPI_Waitany");
  Tally now;
  SKEIN_TRY(tally(call, count, array_of_requests, now));
  *index = MPI_UNDEFINED;
  if (now.active == 0) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  if (now.complete == 0) {
    wait_for_some(call, count, array_of_requests, 1,
                  waiting_for("in MPI_Waitany for one of %d operations", now.active));
    now = {};
    SKEIN_TRY(tally(call, count, array_of_requests, now));
  }
  *index = now.first_complete;
  Request* const request = call.state.requests.find(array_of_requests[*index]);
  return take_one(call, *request, &array_of_requests[*index], status);
}

int MPI_Testany(int count, MPI_Request array_of_requests[], int* index, int* flag, MPI_Status* status) {
  ApiCall call("MPI_Testany");
  Tally now;
  SKEIN_TRY(tally(call, count, array_of_requests, now));
  *index = MPI_UNDEFINED;
  *flag = 1;
  if (now.active == 0) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  *flag = ready_now([&] {
    now = {};
    (void)tally(call, count, array_of_requests, now);
    return now.complete > 0;
  });
  if (!*flag) return MPI_SUCCESS;
  *index = now.first_complete;
  Request* const request = call.state.requests.find(array_of_requests[*index]);
  return take_one(call, *request, &array_of_requests[*index], status);
}

int MPI_Waitsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                 MPI_Status array_of_statuses[]) {
  ApiCall call("MPI_Waitsome");
  Tally now;
  SKEIN_TRY(tally(call, incount, array_of_requests, now));
  *outcount = MPI_UNDEFINED;
  if (now.active == 0) return MPI_SUCCESS;
  if (now.complete == 0)
    wait_for_some(call, incount, array_of_requests, 1,
                  waiting_for("in MPI_Waitsome for one of %d operations", now.active));
  return take_some(call, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

int MPI_Testsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                 MPI_Status array_of_statuses[]) {
  ApiCall call("MPI_Testsome");
  Tally now;
  SKEIN_TRY(tally(call, incount, array_of_requests, now));
  *outcount = MPI_UNDEFINED;
  if (now.active == 0) return MPI_SUCCESS;
  if (now.complete == 0) let_others_run();
  return take_some(call, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  ApiCall call("MPI_Request_get_status");
  Request* request = nullptr;
  SKEIN_TRY(get_active(call, handle, request));
  *flag = 1;
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  *flag = ready_now([&] { return request->complete; });
  if (*flag && request->kind == RequestKind::generalized) query_generalized(*request);
  if (*flag) set_status(status, *request);
  return MPI_SUCCESS;
}

int MPI_Request_get_status_any(int count, const MPI_Request array_of_requests[], int* index, int* flag,
                               MPI_Status* status) {
  ApiCall call("MPI_Request_get_status_any");
  Tally now;
  SKEIN_TRY(tally(call, count, array_of_requests, now));
  *index = now.first_complete;
  *flag = now.active == 0 || now.complete > 0;
  if (now.active == 0) set_empty_status(status);
  if (now.complete > 0) show_result(call, array_of_requests[now.first_complete], status);
  if (!*flag) let_others_run();
  return MPI_SUCCESS;
}

int MPI_Request_get_status_all(int count, const MPI_Request array_of_requests[], int* flag,
                               MPI_Status array_of_statuses[]) {
  ApiCall call("MPI_Request_get_status_all");
  Tally now;
  SKEIN_TRY(tally(call, count, array_of_requests, now));
  *flag = now.complete == now.active;
  if (!*flag) {
    let_others_run();
    return MPI_SUCCESS;
  }
  for (int i = 0; i < count; ++i) show_result(call, array_of_requests[i], nth(array_of_statuses, i));
  return MPI_SUCCESS;
}

int MPI_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int* outcount,
                                int array_of_indices[], MPI_Status array_of_statuses[]) {
  ApiCall call("MPI_Request_get_status_some");
  Tally now;
  SKEIN_TRY(tally(call, incount, array_of_requests, now));
  *outcount = now.active == 0 ? MPI_UNDEFINED : 0;
  for (int i = 0; i < incount && now.complete > 0; ++i) {
    const Request* const request = call.state.requests.find(array_of_requests[i]);
    if (!request || !request->active || !request->complete) continue;
    show_result(call, array_of_requests[i], nth(array_of_statuses, *outcount));
    array_of_indices[(*outcount)++] = i;
  }
  if (now.active > 0 && now.complete == 0) let_others_run();
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* handle) {
  ApiCall call("MPI_Request_free");
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  Request* const request = call.state.requests.find(*handle);
  if (!request)
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no request, or one that has completed already",
                 static_cast<std::size_t>(handle_value(*handle)));
  if (request->collective && request->active && !request->complete)
    return raise(call, request->comm, MPI_ERR_REQUEST, "a nonblocking collective under way cannot be freed");
  call.state.requests.remove(*handle);
  request->handle = MPI_REQUEST_NULL;
  *handle = MPI_REQUEST_NULL;
  if (request->active && !request->complete)
    request->freed = true;
  else
    release_request(*request);
  return MPI_SUCCESS;
}

int MPI_Cancel(MPI_Request* handle) {
  ApiCall call("MPI_Cancel");
  SKEIN_TRY(check_pointer(call, nullptr, handle, "request"));
  Request* request = nullptr;
  SKEIN_TRY(get_active(call, *handle, request));
  if (!request) return raise(call, nullptr, MPI_ERR_REQUEST, "the request is not active");
  if (request->kind == RequestKind::generalized) return cancel_generalized(*request);
  // A send that has left cannot be called back; the standard allows it to complete instead (3.8.4).
  if (request->kind == RequestKind::receive && !request->complete && !request->collective &&
      call.state.matching.withdraw(*request)) {
    request->cancelled = true;
    complete(*request);
  }
  return MPI_SUCCESS;
}

int MPI_Test_cancelled(const MPI_Status* status, int* flag) {
  *flag = status_cancelled(*status);
  return MPI_SUCCESS;
}

int MPI_Status_set_cancelled(MPI_Status* status, int flag) {
  set_status_cancelled(*status, flag != 0);
  return MPI_SUCCESS;
}

}  // extern "C"
