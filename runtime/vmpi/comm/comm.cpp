// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/comm.hpp"

#include <new>

#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/comm/topology.hpp"

namespace skein::vmpi {

std::int64_t take_ids(RankState& state, int count) {
  const std::int64_t first = static_cast<std::int64_t>(state.rank.id + 1) << 32 | state.ids_given;
  state.ids_given += static_cast<std::uint32_t>(count);
  return first;
}

Comm* make_comm(RankState& state, Group* group, std::int64_t id) {
  Comm* comm = new (state.memory.allocate(sizeof(Comm), alignof(Comm))) Comm(&state.memory);
  comm->id = id;
  comm->group = group;
  comm->members = *group;
  comm->rank = group->rank_of(state.rank.id);
  return comm;
}

void free_comm(RankState& state, Comm* comm) {
  forget_assembly(*comm);
  if (comm->local) free_comm(state, comm->local);
  if (comm->remote) release_group(state, comm->remote);
  release_topology(state, comm->topology);
  release_attributes(state, comm->attributes);
  release_info(state, comm->info);
  release_group(state, comm->group);
  comm->~Comm();
  state.memory.deallocate(comm, sizeof(Comm), alignof(Comm));
}

}  // namespace skein::vmpi
