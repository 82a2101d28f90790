// SPDX-License-Identifier: Apache-2.0
// Checks for the functions on datatypes alone; runtime/vmpi/arguments.hpp has the common ones.
#pragma once

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"

namespace skein::vmpi {

/// Gets a type, committed or not.
[[nodiscard]] inline int get_any_type(const ApiCall& call, MPI_Datatype handle, const Datatype*& type) {
  type = find_type(call.state, handle);
  if (type != nullptr) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_TYPE, "0x%zx is no datatype, or one that was freed",
               static_cast<std::size_t>(handle_value(handle)));
}

/// Converts a result to an `int*` or `MPI_Aint*` argument: MPI_UNDEFINED if it is too large, as the standard
/// requires.
template <class Integer>
Integer fit(std::int64_t value) {
  return static_cast<Integer>(value) == value ? static_cast<Integer>(value)
                                              : static_cast<Integer>(MPI_UNDEFINED);
}

}  // namespace skein::vmpi
