// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/start.hpp"

#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/buffered.hpp"
#include "runtime/vmpi/p2p/partitioned.hpp"

namespace skein::vmpi {
namespace {

void complete_at_once(Request& request) {
  request.active = true;
  request.complete = true;
  request.error = MPI_SUCCESS;
  if (request.kind == RequestKind::receive) request.received = {MPI_PROC_NULL, MPI_ANY_TAG, 0};
}

}  // namespace

void start_from_program(Request& request) {
  const fiber::RuntimeScope runtime;
  start_again(request);
}

int start_other(const ApiCall& call, Request& request) {
  if (is_partitioned(request)) {
    start_partitioned(request);
  } else if (request.kind == RequestKind::joint) {
    start_joint(request);
  } else if (runs_on_fiber(request)) {
    start_collective(request);
  } else if (request.kind == RequestKind::send && request.sent.to != MPI_PROC_NULL) {
    complete_at_once(request);
    return buffered_send(call, *request.comm, request.data, request.sent.to, request.pattern.tag);
  } else {
    complete_at_once(request);  // a partner of MPI_PROC_NULL
  }
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi
