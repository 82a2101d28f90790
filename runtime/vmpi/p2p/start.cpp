// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/start.hpp"

#include "runtime/vmpi/coll/nonblocking.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"

namespace skein::vmpi {
namespace {

void complete_at_once(Request& request) {
  request.active = true;
  request.complete = true;
  request.error = MPI_SUCCESS;
  request.received_bytes = 0;
  request.received_from = MPI_PROC_NULL;
  request.received_tag = MPI_ANY_TAG;
}

}  // namespace

Request& new_request(RankState& state, Comm& comm, RequestKind kind, const Data& data) {
  Request& request = *state.request_pool.take();
  request.kind = kind;
  request.owner = &state;
  request.comm = &comm;
  ++comm.references;
  request.data = data;
  if (data.type) data.type->retain();
  request.handle = state.requests.add(&request);
  return request;
}

int start(const ApiCall& call, Request& request) {
  request.cancelled = false;
  if (request.collective) {
    start_collective(request);
    return MPI_SUCCESS;
  }
  switch (request.kind) {
    case RequestKind::send:
      if (request.peer == MPI_PROC_NULL) {
        complete_at_once(request);
      } else if (request.mode == SendMode::buffered) {
        complete_at_once(request);
        return buffered_send(call, *request.comm, request.data, request.peer, request.pattern.tag);
      } else {
        start_send(request);
      }
      break;
    case RequestKind::receive:
      if (request.pattern.source == MPI_PROC_NULL)
        complete_at_once(request);
      else
        start_receive(request);
      break;
    case RequestKind::collective:
    case RequestKind::generalized:
      request.active = true;
      break;
  }
  return MPI_SUCCESS;
}

int hand_out(const ApiCall& call, Request& request, Then then, MPI_Request* out) {
  *out = request.handle;
  if (then == Then::start) return start(call, request);
  request.persistent = true;
  return MPI_SUCCESS;
}

void retire(Request& request, MPI_Request* handle) {
  if (request.persistent) {
    request.active = false;
    return;
  }
  request.owner->requests.remove(request.handle);
  release_request(request);
  *handle = MPI_REQUEST_NULL;
}

}  // namespace skein::vmpi
