// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

class ApiCall;
struct Comm;

/// Calls the communicator's error handler: MPI_ERRORS_ARE_FATAL ends the job with function, class and the
/// message (printf form); otherwise returns `error_class` for the function to return. If `comm` is null, uses
/// the handler of MPI_COMM_SELF, or MPI_COMM_WORLD's as long as self has MPI_ERRORS_ARE_FATAL. Called from a
/// rank.
int raise(const ApiCall& call, Comm* comm, int error_class, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

/// Raises MPI_ERR_UNSUPPORTED_OPERATION with the function's name, for functions of MPI that exist and are not
/// implemented. Callable before MPI_Init. `comm` may be MPI_COMM_NULL.
int raise_unsupported(const char* function, MPI_Comm comm);
/// Calls the handler of MPI_FILE_NULL, like raise() for a communicator, for errors that belong to no open
/// file (MPI 4.1, 14.7). By default it returns them.
int raise_for_files(const ApiCall& call, int error_class, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Return the name of an error class ("MPI_ERR_RANK") and a sentence for it. For unknown codes the texts say
/// so.
const char* error_name(int error_class);
const char* error_text(int error_class);

}  // namespace skein::vmpi
