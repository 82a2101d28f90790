// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/status.hpp"

#include "runtime/vmpi/p2p/generalized.hpp"

namespace skein::vmpi {
namespace {

void fill(MPI_Status* status, int source, int tag) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  set_status_bytes(*status, 0);
  set_status_cancelled(*status, false);
}

}  // namespace

void set_empty_status(MPI_Status* status) {
  fill(status, MPI_ANY_SOURCE, MPI_ANY_TAG);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}
void set_null_status(MPI_Status* status) { fill(status, MPI_PROC_NULL, MPI_ANY_TAG); }

void set_status(MPI_Status* status, const Request& request) {
  if (status == MPI_STATUS_IGNORE) return;
  if (has_received(request)) {
    fill(status, request.received.source, request.received.tag);
    set_status_bytes(*status, request.received.bytes);
  } else if (request.kind == RequestKind::file) {
    fill(status, MPI_ANY_SOURCE, MPI_ANY_TAG);
    set_status_bytes(*status, request.received.bytes);
  } else if (request.kind == RequestKind::generalized) {
    const int error = status->MPI_ERROR;
    *status = queried_status(request);
    status->MPI_ERROR = error;
  } else {
    fill(status, MPI_ANY_SOURCE, MPI_ANY_TAG);
  }
  if (request.cancelled) set_status_cancelled(*status, true);
}

int finish_receive(const ApiCall& call, const Request& request, MPI_Status* status) {
  set_status(status, request);
  return request.error == MPI_SUCCESS ? MPI_SUCCESS : raise_truncated(call, request);
}

int raise_truncated(const ApiCall& call, const Request& request) {
  return raise(call, request.comm, request.error,
               "the message from rank %d, tag %d, is longer than the %zu bytes it is received in",
               request.received.source, request.received.tag, request.data.bytes);
}

}  // namespace skein::vmpi
