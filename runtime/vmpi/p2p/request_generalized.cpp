// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/request.hpp"

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/p2p/start.hpp"

namespace skein::vmpi {

struct Generalized {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* extra;
  MPI_Status status{};
};

namespace {
Generalized& functions_of(const Request& request) { return *static_cast<Generalized*>(request.part); }
}  // namespace

void query_generalized(Request& request) {
  Generalized& functions = functions_of(request);
  ProgramScope program(request.owner->rank);
  request.error = functions.query(functions.extra, &functions.status);
}

const MPI_Status& queried_status(const Request& request) { return functions_of(request).status; }

int cancel_generalized(Request& request) {
  Generalized& functions = functions_of(request);
  ProgramScope program(request.owner->rank);
  return functions.cancel(functions.extra, request.complete);
}

void free_generalized(Request& request) {
  Generalized& functions = functions_of(request);
  {
    ProgramScope program(request.owner->rank);
    functions.free(functions.extra);
  }
  request.owner->memory.deallocate(&functions, sizeof(Generalized));
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                       MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* out) {
  ApiCall call("MPI_Grequest_start");
  RankState& state = call.state;
  Request& request = new_request(state, RequestKind::generalized, nullptr);
  leave_unrecorded(request);
  request.active = true;
  request.part =
      new (state.memory.allocate(sizeof(Generalized))) Generalized{query_fn, free_fn, cancel_fn, extra_state};
  *out = RequestTable::handle_of(request);
  return MPI_SUCCESS;
}

int MPI_Grequest_complete(MPI_Request handle) {
  ApiCall call("MPI_Grequest_complete");
  Request* const request = call.state.requests.find(handle);
  if (!request || request->kind != RequestKind::generalized)
    return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no generalized request",
                 static_cast<std::size_t>(handle_value(handle)));
  complete(*request);
  return MPI_SUCCESS;
}

}  // extern "C"
