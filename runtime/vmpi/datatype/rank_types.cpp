// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/rank_types.hpp"

#include <new>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

RankTypes& rank_types(RankState& state) {
  if (state.types == nullptr)
    state.types = new (state.memory.allocate(sizeof(RankTypes), alignof(RankTypes))) RankTypes(&state.memory);
  return *state.types;
}

AttributeSet* type_attributes(RankState& state, MPI_Datatype handle) {
  const auto& all = rank_types(state).attributes;
  const auto found = all.find(handle);
  return found == all.end() ? nullptr : found->second;
}

MPI_Datatype handle_for(RankState& state, const Datatype& type) {
  const Construction& c = type.construction();
  if (type.predefined()) {
    if (c.combiner == MPI_COMBINER_NAMED) return type.basic()->handle;
    for (const auto& [arguments, handle] : rank_types(state).f90)
      if (state.datatypes.find(handle) == &type) return handle;
  }
  type.retain();
  return state.datatypes.add(const_cast<Datatype*>(&type));
}

}  // namespace skein::vmpi
