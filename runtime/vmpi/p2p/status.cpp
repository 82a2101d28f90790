// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/status.hpp"

#include "runtime/base/error.hpp"
#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {
void set_empty_status(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  write_status(*status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
  status->MPI_ERROR = MPI_SUCCESS;
}
void set_null_status(MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) write_status(*status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

void set_status_of_other(MPI_Status& status, const Request& request) {
  if (request.kind == RequestKind::generalized) {
    const int error = status.MPI_ERROR;
    status = queried_status(request);
    status.MPI_ERROR = error;
    if (was_cancelled(request)) set_status_cancelled(status, true);
  } else if (has_received(request)) {
    write_status(status, request.received.source, request.received.tag, request.received.bytes, false);
  } else {
    const std::size_t bytes = request.kind == RequestKind::file ? request.received.bytes : 0;
    write_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, bytes, was_cancelled(request));
  }
}

int finish_receive(const ApiCall& call, const Request& request, MPI_Status* status) {
  set_status(status, request);
  return request.error == MPI_SUCCESS ? MPI_SUCCESS : raise_truncated(call, request);
}

std::string why_truncated(RankState& state, const Request& request) {
  const auto found = take_truncated(state, &request);
  const std::string bytes = found ? format(" of %zu bytes", found->bytes) : std::string();
  return format("the message%s from rank %d, tag %d, is longer than the %zu bytes it is received in",
                bytes.c_str(), request.received.source, request.received.tag, request.data.bytes);
}

int raise_truncated(const ApiCall& call, const Request& request) {
  return raise(call, request.comm, request.error, "%s", why_truncated(call.state, request).c_str());
}

}  // namespace skein::vmpi
