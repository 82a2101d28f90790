// SPDX-License-Identifier: Apache-2.0
// An MPI for the tests: in place of Skein's functions, these C functions record their arguments.
#pragma once

#include <string>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace calls {

/// Returns the calls since the last take(), one line each: "MPI_Send(IN_PLACE, 3, ...)".
std::vector<std::string> take();

/// The function that raise_unsupported() was last called for, and its communicator.
extern std::string unsupported_function;
extern MPI_Comm unsupported_comm;
/// The message with which a front refused its last call: "MPI_Comm_size: size is a null pointer".
extern std::string refused;

/// The error that the next call returns; MPI_SUCCESS again afterwards.
extern int next_error;

}  // namespace calls
