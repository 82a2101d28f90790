// SPDX-License-Identifier: Apache-2.0
// Error classes and codes that the program adds (MPI 4.1, 9.5). Their numbers go on from MPI_ERR_LASTCODE; a
// number that was removed is used again.
#pragma once

#include <memory_resource>
#include <string>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// An added class or code, in the slot. A class is a code of itself.
struct AddedError {
  AddedError(int own_class, std::pmr::memory_resource* memory) : error_class(own_class), text(memory) {}
  int error_class;
  int codes = 0;  ///< of a class: number of codes besides itself
  std::pmr::string text;
};

/// Returns null for predefined codes, numbers that were never added, and removed ones.
AddedError* find_added_error(RankState& state, int code);

}  // namespace skein::vmpi
