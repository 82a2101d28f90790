// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/completion.hpp"

#include "runtime/vmpi/p2p/generalized.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/p2p/status.hpp"

namespace skein::vmpi {

int check_null_request(const ApiCall& call, MPI_Request handle) {
  require_running(call);
  if (handle == MPI_REQUEST_NULL) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no request, or one that has completed already",
               static_cast<std::size_t>(handle_value(handle)));
}

int check_request_count(const ApiCall& call, int count) {
  if (count > 0) return MPI_SUCCESS;
  require_running(call);
  return count == 0 ? MPI_SUCCESS : raise(call, nullptr, MPI_ERR_ARG, "the count is %d", count);
}

int tally(const ApiCall& call, int count, const MPI_Request* handles, Tally& out) {
  SKEIN_TRY(check_request_count(call, count));
  for (int i = 0; i < count; ++i) {
    Request* request = nullptr;
    SKEIN_TRY(get_active(call, handles[i], request));
    if (!request) continue;
    ++out.active;
    if (!ready(*request)) continue;
    ++out.ready;
    if (out.first_ready == MPI_UNDEFINED) out.first_ready = i;
  }
  return MPI_SUCCESS;
}

namespace {

/// Hands out the result of a request that is ready. Returns its error class, not raised.
int take_result(Request& request, MPI_Request* handle, MPI_Status* status) {
  if (!request.complete) take_copy(request);
  if (request.kind == RequestKind::generalized) query_generalized(request);
  set_status(status, request);
  const int error = request.error;
  retire(request, handle);
  return error;
}

int raise_result(const ApiCall& call, Comm* comm, int error) {
  return error == MPI_SUCCESS ? MPI_SUCCESS : raise(call, comm, error, "the operation has failed");
}

}  // namespace

int take_one(const ApiCall& call, RecordedCall& recorded, Request& request, MPI_Request* handle,
             MPI_Status* status) {
  recorded.takes(request);
  recorded.took_all(call.state);
  if (request.error == MPI_ERR_TRUNCATE && has_received(request)) {
    const Request copy = request;
    take_result(request, handle, status);
    return raise_truncated(call, copy);
  }
  Comm* const comm = request.comm;
  return raise_result(call, comm, take_result(request, handle, status));
}

int take_any(const ApiCall& call, RecordedCall& recorded, Request* request, MPI_Request* handle,
             MPI_Status* status, Failed& failed) {
  // One handle may be there twice: that is an error of the program.
  const bool was_taken = request && !(request->active && request->holder == Holder::program);
  if (was_taken) SKEIN_TRY(get_active(call, *handle, request));
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  Comm* const comm = request->comm;
  recorded.takes(*request);
  const int error = take_result(*request, handle, status);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
  if (error != MPI_SUCCESS) failed = {failed.count + 1, comm};
  return MPI_SUCCESS;
}

int raise_failed(const ApiCall& call, const Failed& failed, int count) {
  return raise(call, failed.comm, MPI_ERR_IN_STATUS,
               "%d of %d operations have failed; each status tells its error", failed.count, count);
}

int take_some(const ApiCall& call, RecordedCall& recorded, int count, MPI_Request* handles, int* outcount,
              int* indices, MPI_Status* statuses) {
  int taken = 0, errors = 0;
  Comm* comm = nullptr;
  for (int i = 0; i < count; ++i) {
    Request* request = nullptr;
    SKEIN_TRY(get_active(call, handles[i], request));
    if (!request || !ready(*request)) continue;
    Comm* const request_comm = request->comm;
    MPI_Status* const status = nth(statuses, taken);
    recorded.takes(*request);
    const int error = take_result(*request, &handles[i], status);
    if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
    indices[taken++] = i;
    if (error == MPI_SUCCESS) continue;
    ++errors;
    comm = request_comm;
  }
  *outcount = taken;
  recorded.took_all(call.state);
  if (errors == 0) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_IN_STATUS, "%d of %d operations have failed; each status tells its error",
               errors, taken);
}

}  // namespace skein::vmpi
