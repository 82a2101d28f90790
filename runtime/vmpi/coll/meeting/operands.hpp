// SPDX-License-Identifier: Apache-2.0
// Operands of reductions at an assembly (assembly.hpp): bringing them and handing out results.
#pragma once

#include <cstring>

#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"

namespace skein::vmpi {

/// Returns the address of a buffer while the calling rank does not run.
template <class T>
T* place_when_away(T* buffer) {
  if (among_thread_locals(buffer)) [[unlikely]]
    return reinterpret_cast<T*>(switched_out_place(buffer));
  return buffer;
}

/// Assembles with an operand. `own`: the operand of this rank as it sees it; `bytes`: packed size, the same
/// for all. `error`: set to the error of the collective, if another member finds it.
inline bool assemble_operand(Assembly& assembly, const Comm& comm, const Reduction& reduction,
                             const Operand& own, std::size_t bytes, const char* purpose, AmongPes way,
                             int root, int& error) {
  agree_on_operand(assembly, comm, reduction, bytes);
  Operand& mine = assembly.operands[comm.assembly.member];
  mine = {place_when_away(own.input), place_when_away(own.result), own.first, own.count, &error};
  if (!assemble(assembly, comm, nullptr, purpose, way, root)) return false;
  // This rank runs from here on.
  mine.input = own.input;
  mine.result = own.result;
  return true;
}

inline void tell_error(const Assembly& assembly, int error) {
  if (error == MPI_SUCCESS) return;
  for (const Operand& operand : assembly.operands) *operand.error = error;
}

/// Gives each member on this PE its elements of the result.
inline void hand_out(const Assembly& assembly, const Reduction& reduction, const void* value) {
  const bool dense = reduction.is_dense();
  for (const Operand& to : assembly.operands) {
    if (to.count == 0) continue;
    const std::byte* const wanted = reduction.element(const_cast<void*>(value), to.first);
    const std::size_t bytes = reduction.bytes(to.count);
    if (!dense)
      copy(reduction.elements(wanted, 0, to.count), reduction.elements(to.result, 0, to.count), bytes);
    else
      copy_few(to.result, wanted, bytes);
  }
}

}  // namespace skein::vmpi
