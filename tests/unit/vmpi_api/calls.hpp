// SPDX-License-Identifier: Apache-2.0
// An MPI for the tests: the C functions write down what they were called with, in place of Skein's.
#pragma once

#include <string>
#include <vector>

#include "runtime/vmpi/api.hpp"

namespace calls {

/// One line a call, "MPI_Send(IN_PLACE, 3, ...)", since the last take().
std::vector<std::string> take();

/// The function that raise_unsupported() was last called for, and its communicator.
extern std::string unsupported_function;
extern MPI_Comm unsupported_comm;
/// What a front refused last: "MPI_Comm_size: size is a null pointer".
extern std::string refused;

/// What the next call returns; MPI_SUCCESS again afterwards.
extern int next_error;

}  // namespace calls
