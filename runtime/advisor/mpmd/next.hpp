// SPDX-License-Identifier: Apache-2.0
// The functions of the same name in the libraries behind this one: tools of the program first, then its MPI.
#pragma once

namespace skein::mpmd {

/// Ends the process if no library has it, saying so.
void* next_symbol(const char* name);
/// Whether `name` is the MPI's own function and no tool's: then nothing calls the PMPI_ function behind it.
bool is_of_mpi(const char* name);

template <class Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(next_symbol(name));
}

/// Whether MPI itself keeps this attribute at its world: MPI_TAG_UB and the like.
bool is_kept_by_mpi(int keyval);

}  // namespace skein::mpmd
