// SPDX-License-Identifier: Apache-2.0
// Error classes and codes that the program adds (MPI 4.1, 9.5). They count on from MPI_ERR_LASTCODE; a number
// that was removed is given again.
#pragma once

#include <memory_resource>
#include <string>

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// In the slot. A class is a code of itself.
struct AddedError {
  AddedError(int own_class, std::pmr::memory_resource* memory) : error_class(own_class), text(memory) {}
  int error_class;
  int codes = 0;  ///< of a class: how many it has besides itself
  std::pmr::string text;
};

/// Null for predefined codes, numbers that were never added, and removed ones.
AddedError* find_added_error(RankState& state, int code);

}  // namespace skein::vmpi
