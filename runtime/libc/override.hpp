// SPDX-License-Identifier: Apache-2.0
// An override: a function of the launcher that takes the place of a library's when the loader binds the
// undefined symbols of a rank's program (and of its private libraries). Libraries that all ranks of a process
// share keep the C library's own.
#pragma once

namespace skein::libc {

struct Override {
  const char* name;  ///< of the symbol, without version
  void* address;     ///< in the launcher, so equal on all PEs
};

/// Returns a function's address as data, whatever its type: Override{"exit", address_of(exit_)}.
template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace skein::libc
