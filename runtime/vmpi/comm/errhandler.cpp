// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/errhandler.hpp"

#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

bool predefined(MPI_Errhandler handle) { return handle_value(handle) < kFirstDynamicHandle; }

void retain_errhandler(RankState& state, MPI_Errhandler handle) {
  if (Errhandler* handler = state.errhandlers.find(handle)) ++handler->references;
}

void release_errhandler(RankState& state, MPI_Errhandler handle) {
  Errhandler* const handler = state.errhandlers.find(handle);
  if (!handler || --handler->references > 0) return;
  state.errhandlers.remove(handle);
  state.memory.deallocate(handler, sizeof(Errhandler), alignof(Errhandler));
}

bool is_errhandler_for(RankState& state, ErrhandlerOwner owner, MPI_Errhandler handle) {
  if (handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_ABORT || handle == MPI_ERRORS_RETURN)
    return true;
  const Errhandler* const handler = state.errhandlers.find(handle);
  return handler && handler->owner == owner;
}

int check_comm_errhandler(const ApiCall& call, Comm* comm, MPI_Errhandler handle) {
  if (is_errhandler_for(call.state, ErrhandlerOwner::comm, handle)) return MPI_SUCCESS;
  return raise(call, comm, MPI_ERR_ERRHANDLER, "0x%zx is no error handler for communicators",
               static_cast<std::size_t>(handle_value(handle)));
}

int check_session_errhandler(const ApiCall& call, MPI_Errhandler handle) {
  if (is_errhandler_for(call.state, ErrhandlerOwner::session, handle)) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_ERRHANDLER, "0x%zx is no error handler for sessions",
               static_cast<std::size_t>(handle_value(handle)));
}

}  // namespace skein::vmpi
