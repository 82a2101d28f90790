// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

class ApiCall;
struct Comm;
struct RankState;

enum class ErrhandlerOwner : unsigned char { comm, window, file, session };

/// An error handler of the program's. Counted: each object that uses it, and its handle, hold a reference.
struct Errhandler {
  ErrhandlerOwner owner = ErrhandlerOwner::comm;
  void (*function)(void* object_handle, int* error, ...) = nullptr;
  int references = 1;
  MPI_Errhandler handle = MPI_ERRHANDLER_NULL;
};

bool predefined(MPI_Errhandler handle);
/// Whether objects of that kind may have it.
bool is_errhandler_for(RankState& state, ErrhandlerOwner owner, MPI_Errhandler handle);
/// One that communicators may have.
[[nodiscard]] int check_comm_errhandler(const ApiCall& call, Comm* comm, MPI_Errhandler handle);
/// One that sessions may have; errors as of no communicator.
[[nodiscard]] int check_session_errhandler(const ApiCall& call, MPI_Errhandler handle);
/// For handles of the program's handlers; predefined ones are not counted.
void retain_errhandler(RankState& state, MPI_Errhandler handle);
void release_errhandler(RankState& state, MPI_Errhandler handle);

}  // namespace skein::vmpi
