// SPDX-License-Identifier: Apache-2.0
// Finds the functions of the same name in the libraries behind this one: tools of the program first, then its
// MPI.
#pragma once

namespace skein::mpmd {

/// Returns the next function. Ends the process with a message if no library has it.
void* next_symbol(const char* name);
/// Returns true if `name` is the MPI's own function and no tool's: then nothing calls the PMPI_ function
/// behind it.
bool is_of_mpi(const char* name);

template <class Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(next_symbol(name));
}

/// Returns true if MPI itself keeps this attribute at its world: MPI_TAG_UB and the like.
bool is_kept_by_mpi(int keyval);

}  // namespace skein::mpmd
