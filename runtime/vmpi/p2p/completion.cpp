// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/completion.hpp"

#include <cstdio>
#include <string>

#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/request.hpp"
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
    SKEIN_GET(Request*, request, get_active(call, handles[i], request));
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

/// Returns the error text of a failed request. Called before take_result().
[[gnu::cold]] std::string why_failed(RankState& state, const Request& request) {
  if (request.error == MPI_ERR_TRUNCATE && has_received(request)) return why_truncated(state, request);
  const bool is_length = request.error == MPI_ERR_TRUNCATE || request.error == MPI_ERR_COUNT;
  if (is_length && request.comm) return why_truncated(state, *request.comm);
  return "the operation has failed";
}

/// Takes the result of one request among several.
void take_among(const ApiCall& call, Request& request, MPI_Request* handle, MPI_Status* status,
                Failed& failed) {
  Comm* const comm = request.comm;
  std::string why;
  if (request.error != MPI_SUCCESS) [[unlikely]]
    why = why_failed(call.state, request);
  const int error = take_result(request, handle, status);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
  if (error == MPI_SUCCESS) return;
  failed.comm = comm;
  if (failed.count++ == 0) snprintf(failed.why, sizeof failed.why, "%s", why.c_str());
}

}  // namespace

int take_one(const ApiCall& call, RecordedCall& recorded, Request& request, MPI_Request* handle,
             MPI_Status* status) {
  recorded.takes(request);
  recorded.took_all(call.state);
  Comm* const comm = request.comm;
  std::string why;
  if (request.error != MPI_SUCCESS) [[unlikely]]
    why = why_failed(call.state, request);
  const int error = take_result(request, handle, status);
  if (error == MPI_SUCCESS) [[likely]]
    return MPI_SUCCESS;
  return raise(call, comm, error, "%s", why.empty() ? "the operation has failed" : why.c_str());
}

int take_any(const ApiCall& call, RecordedCall& recorded, Request* request, MPI_Request* handle,
             MPI_Status* status, Failed& failed) {
  // The program may name one request twice by error.
  const bool was_taken = request && !(request->active && request->holder == Holder::program);
  if (was_taken) SKEIN_TRY(get_active(call, *handle, request));
  if (!request) {
    set_empty_status(status);
    return MPI_SUCCESS;
  }
  recorded.takes(*request);
  take_among(call, *request, handle, status, failed);
  return MPI_SUCCESS;
}

int raise_failed(const ApiCall& call, const Failed& failed, int count) {
  return raise(call, failed.comm, MPI_ERR_IN_STATUS,
               "%d of %d operations have failed; each status tells its error%s%s", failed.count, count,
               failed.why[0] ? "; of the first: " : "", failed.why);
}

int take_some(const ApiCall& call, RecordedCall& recorded, int count, MPI_Request* handles, int* outcount,
              int* indices, MPI_Status* statuses) {
  int taken = 0;
  Failed failed;
  for (int i = 0; i < count; ++i) {
    SKEIN_GET(Request*, request, get_active(call, handles[i], request));
    if (!request || !ready(*request)) continue;
    recorded.takes(*request);
    take_among(call, *request, &handles[i], nth(statuses, taken), failed);
    indices[taken++] = i;
  }
  *outcount = taken;
  recorded.took_all(call.state);
  return failed.count == 0 ? MPI_SUCCESS : raise_failed(call, failed, taken);
}

}  // namespace skein::vmpi
