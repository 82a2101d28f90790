// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

class ApiCall;
struct Comm;
struct RankState;

enum class ErrhandlerOwner : unsigned char { comm, window, file, session };

/// An error handler of the program. Its references are counted: each object that uses it, and its handle,
/// hold one.
struct Errhandler {
  ErrhandlerOwner owner = ErrhandlerOwner::comm;
  void (*function)(void* object_handle, int* error, ...) = nullptr;
  int references = 1;
  MPI_Errhandler handle = MPI_ERRHANDLER_NULL;
};

bool predefined(MPI_Errhandler handle);
/// Returns true if objects of that kind may have the handler.
bool is_errhandler_for(RankState& state, ErrhandlerOwner owner, MPI_Errhandler handle);
/// Checks for a handler that communicators may have.
[[nodiscard]] int check_comm_errhandler(const ApiCall& call, Comm* comm, MPI_Errhandler handle);
/// Checks for a handler that sessions may have; errors belong to no communicator.
[[nodiscard]] int check_session_errhandler(const ApiCall& call, MPI_Errhandler handle);
/// Count references to the program's handlers; predefined ones are not counted.
void retain_errhandler(RankState& state, MPI_Errhandler handle);
void release_errhandler(RankState& state, MPI_Errhandler handle);

}  // namespace skein::vmpi
