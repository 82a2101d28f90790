// SPDX-License-Identifier: Apache-2.0
// MPI_Wait, MPI_Waitall, MPI_Waitany, MPI_Waitsome.
#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {
namespace {

WaitReason waiting_for(const char* format, int count) { return {format, {count, 0}}; }

int wait(const ApiCall& call, MPI_Request* handle, MPI_Status* status) {
  Request* request = nullptr;
  SKEIN_TRY(get_active(call, *handle, request));
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  const bool receive = request->kind == RequestKind::receive;
  if (!ready(*request))
    wait_until_complete(*request,
                        {receive ? "in MPI_Wait for a receive from rank %d, tag %d"
                                 : "in MPI_Wait for a send to rank %d, tag %d",
                         {receive ? request->pattern.source : request->peer, request->pattern.tag}});
  return take_one(call, *request, handle, status);
}

/// Puts `waiter` down as who waits for each of the requests that are active and not ready, and counts them.
int watch(const ApiCall& call, int count, const MPI_Request* handles, Waiter& waiter) {
  for (int i = 0; i < count; ++i) {
    Request* request = nullptr;
    SKEIN_TRY(get_active(call, handles[i], request));
    if (!request || ready(*request)) continue;
    request->waiter = &waiter;
    ++waiter.left;
  }
  return MPI_SUCCESS;
}

void stop_watching(const ApiCall& call, int count, const MPI_Request* handles, const Waiter& waiter) {
  for (int i = 0; i < count; ++i) {
    Request* const request = call.state.requests.find(handles[i]);
    if (request && request->waiter == &waiter) request->waiter = nullptr;
  }
}

/// Blocks until all of the requests are ready.
int wait_for_all(const ApiCall& call, int count, const MPI_Request* handles) {
  Waiter waiter{current_fiber(), 0};
  if (const int error = watch(call, count, handles, waiter); error != MPI_SUCCESS) {
    stop_watching(call, count, handles, waiter);
    return error;
  }
  // The last of them to complete wakes this fiber, and none remembers the waiter then.
  if (waiter.left > 0) block(waiting_for("in MPI_Waitall for %d operations", waiter.left));
  return MPI_SUCCESS;
}

/// Blocks until one of the requests, of which none is ready, is complete.
void wait_for_one(const ApiCall& call, int count, const MPI_Request* handles, WaitReason why) {
  Waiter waiter{current_fiber(), 0};
  (void)watch(call, count, handles, waiter);  // the caller has looked at the handles
  waiter.left = 1;
  block(why);
  stop_watching(call, count, handles, waiter);
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

int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  ApiCall call("MPI_Waitall");
  SKEIN_TRY(check_request_count(call, count));
  SKEIN_TRY(wait_for_all(call, count, array_of_requests));
  return take_all(call, count, array_of_requests, array_of_statuses);
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
  if (now.ready == 0) {
    wait_for_one(call, count, array_of_requests,
                 waiting_for("in MPI_Waitany for one of %d operations", now.active));
    now = {};
    SKEIN_TRY(tally(call, count, array_of_requests, now));
  }
  *index = now.first_ready;
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
  if (now.ready == 0)
    wait_for_one(call, incount, array_of_requests,
                 waiting_for("in MPI_Waitsome for one of %d operations", now.active));
  return take_some(call, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}

}  // extern "C"
