// SPDX-License-Identifier: Apache-2.0
// The data that a rank keeps for its datatypes beside the objects: attributes, the names it gave to
// predefined types (which it shares with all ranks of its PE), and the parameterised Fortran types it asked
// for. In the slot.
#pragma once

#include <map>
#include <memory_resource>
#include <string>
#include <tuple>

#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

struct RankTypes {
  explicit RankTypes(std::pmr::memory_resource* memory) : names(memory), attributes(memory), f90(memory) {}

  std::pmr::map<MPI_Datatype, std::pmr::string> names;
  std::pmr::map<MPI_Datatype, AttributeSet*> attributes;
  /// (combiner, precision, range) -> handle: equal arguments give the same type, which is never freed.
  std::pmr::map<std::tuple<int, int, int>, MPI_Datatype> f90;
};

/// Returns the rank's types, which are made at first use.
RankTypes& rank_types(RankState& state);

/// Returns the attributes of a handle, or null.
AttributeSet* type_attributes(RankState& state, MPI_Datatype handle);

/// Returns a handle for the program: the constant of a named type, the existing handle of an f90 type; for
/// others a new handle with a reference of its own.
MPI_Datatype handle_for(RankState& state, const Datatype& type);

/// Returns the type of a handle, a predefined one or one of this rank, or null if the handle is invalid.
inline const Datatype* find_type(const RankState& state, MPI_Datatype handle) {
  if (handle_value(handle) < kFirstDynamicHandle) return predefined_datatype(handle);
  return state.datatypes.find(handle);
}

}  // namespace skein::vmpi
