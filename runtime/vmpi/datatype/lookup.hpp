// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// The type behind a handle: a predefined one, or one of this rank's. Null when there is none.
inline const Datatype* find_type(const RankState& state, MPI_Datatype handle) {
  if (handle_value(handle) < first_dynamic_handle) return predefined_datatype(handle);
  return state.datatypes.find(handle);
}

}  // namespace skein::vmpi
