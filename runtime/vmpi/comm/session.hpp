// SPDX-License-Identifier: Apache-2.0
// Sessions (MPI 4.1, 11.3): MPI without MPI_Init. MPI runs for a rank while it has a session, or between
// MPI_Init and MPI_Finalize (state.hpp).
#pragma once

#include <string_view>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// In the slot.
struct Session {
  MPI_Session handle = MPI_SESSION_NULL;
  MPI_Errhandler errhandler = MPI_ERRORS_ARE_FATAL;
  Info* info = nullptr;           ///< hints that were granted
  BufferPool* buffers = nullptr;  ///< MPI_Session_attach_buffer; null if nothing is attached
};

/// Gets the session of a handle, or raises MPI_ERR_SESSION.
[[nodiscard]] int get_session(const ApiCall& call, MPI_Session handle, Session*& session);
/// Calls the session's error handler, like raise() for a communicator.
[[nodiscard, gnu::format(printf, 4, 5)]] int raise_in_session(const ApiCall& call, const Session& session,
                                                              int error_class, const char* format, ...);

}  // namespace skein::vmpi
