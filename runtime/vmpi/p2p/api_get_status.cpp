// SPDX-License-Identifier: Apache-2.0
// MPI_Request_get_status in all its forms, which leave the requests as they are.
#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

/// Fills in the status of a request that is ready or inactive, and leaves the request as it is.
void show_result(const ApiCall& call, MPI_Request handle, MPI_Status* status) {
  Request* const request = call.state.requests.find(handle);
  if (!request || !request->active) {
    set_empty_status(status);
    return;
  }
  if (!request->complete) take_copy(*request);
  if (request->kind == RequestKind::generalized) query_generalized(*request);
  set_status(status, *request);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  ApiCall call("MPI_Request_get_status");
  SKEIN_GET(Request*, request, get_active(call, handle, request));
  *flag = 1;
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  *flag = ready_now([&] { return ready(*request); });
  if (*flag) show_result(call, handle, status);
  return MPI_SUCCESS;
}

int MPI_Request_get_status_any(int count, const MPI_Request array_of_requests[], int* index, int* flag,
                               MPI_Status* status) {
  ApiCall call("MPI_Request_get_status_any");
  SKEIN_GET(Tally, now, tally(call, count, array_of_requests, now));
  *index = now.first_ready;
  *flag = now.active == 0 || now.ready > 0;
  if (now.active == 0) set_empty_status(status);
  if (now.ready > 0) show_result(call, array_of_requests[now.first_ready], status);
  if (!*flag) let_others_run();
  return MPI_SUCCESS;
}

int MPI_Request_get_status_all(int count, const MPI_Request array_of_requests[], int* flag,
                               MPI_Status array_of_statuses[]) {
  ApiCall call("MPI_Request_get_status_all");
  SKEIN_GET(Tally, now, tally(call, count, array_of_requests, now));
  *flag = now.ready == now.active;
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
  SKEIN_GET(Tally, now, tally(call, incount, array_of_requests, now));
  *outcount = now.active == 0 ? MPI_UNDEFINED : 0;
  for (int i = 0; i < incount && now.ready > 0; ++i) {
    const Request* const request = call.state.requests.find(array_of_requests[i]);
    if (!request || !request->active || !ready(*request)) continue;
    show_result(call, array_of_requests[i], nth(array_of_statuses, *outcount));
    array_of_indices[(*outcount)++] = i;
  }
  if (now.active > 0 && now.ready == 0) let_others_run();
  return MPI_SUCCESS;
}

}  // extern "C"
