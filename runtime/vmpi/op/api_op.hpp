// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/op/op.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Returns the operation of a handle, a predefined one or one of this rank, or null if the handle is invalid.
inline const Op* find_op(const RankState& state, MPI_Op handle) {
  if (handle_value(handle) < kFirstDynamicHandle) return predefined_op(handle);
  return state.ops.find(handle);
}

[[nodiscard, gnu::cold]] int raise_bad_op(const ApiCall& call, Comm* comm, MPI_Op handle);
/// Raises the error that the operation is not defined for the type.
[[nodiscard, gnu::cold]] int raise_undefined_op(const ApiCall& call, Comm* comm, MPI_Op handle,
                                                const Datatype& type);
/// Gets an operation that may reduce data of `type` in a collective call, and its kernel_of(); raises
/// MPI_ERR_OP for others.
[[nodiscard]] inline int get_op(const ApiCall& call, Comm* comm, MPI_Op handle, const Datatype& type,
                                const Op*& op, Kernel& kernel) {
  op = find_op(call.state, handle);
  if (!op) return raise_bad_op(call, comm, handle);
  kernel = kernel_of(*op, type);
  return kernel || !op->predefined() ? MPI_SUCCESS : raise_undefined_op(call, comm, handle, type);
}

/// Reduces within an MPI call, by reduce(): a function of the program runs with the rank's heap.
void reduce_in_call(Rank& rank, const Op& op, const void* in, void* inout, std::int64_t count,
                    const Datatype& type, MPI_Datatype handle);

/// Creates an operation, for MPI_Op_create and its forms in every binding. `function`: the MPI function that
/// was called.
int create_op(const char* function, UserFunction user_function, bool commutative, MPI_Op* op);

}  // namespace skein::vmpi
