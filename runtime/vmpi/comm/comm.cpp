// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/comm.hpp"

#include <algorithm>
#include <new>

#include "runtime/vmpi/coll/meeting_place.hpp"
#include "runtime/vmpi/comm/attributes.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/comm/topology.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"

namespace skein::vmpi {
namespace {

/// The largest `value` of the members of `group` (ranks of it are `rank`, sent through `comm`), by recursive
/// halving towards member 0 and back.
int largest(Comm& comm, const Group& group, int rank, int context, int tag, int value) {
  const auto peer = [&](int member) { return comm.group->rank_of(group.world_rank(member)); };
  int step = 1;
  for (; step < group.size; step *= 2) {
    if (rank & step) {
      send_bytes(comm, context, peer(rank - step), tag, &value, sizeof value);
      break;
    }
    if (rank + step < group.size) {
      int other = 0;
      receive_bytes(comm, context, peer(rank + step), tag, &other, sizeof other);
      value = std::max(value, other);
    }
  }
  if (rank != 0) receive_bytes(comm, context, peer(rank - step), tag, &value, sizeof value);
  for (step /= 2; step > 0; step /= 2)
    if (rank + step < group.size) send_bytes(comm, context, peer(rank + step), tag, &value, sizeof value);
  return value;
}

}  // namespace

Comm* make_comm(RankState& state, Group* group, int id) {
  Comm* comm = new (state.memory.allocate(sizeof(Comm), alignof(Comm))) Comm(&state.memory);
  comm->id = id;
  comm->group = group;
  comm->rank = group->rank_of(state.rank.id);
  return comm;
}

void release_comm(RankState& state, Comm* comm) {
  if (--comm->references > 0) return;
  forget_meeting_place(*comm);
  release_topology(state, comm->topology);
  release_attributes(state, comm->attributes);
  release_info(state, comm->info);
  release_group(state, comm->group);
  comm->~Comm();
  state.memory.deallocate(comm, sizeof(Comm), alignof(Comm));
}

int agree_on_id(RankState& state, Comm& parent) {
  const int tag = static_cast<int>(parent.collectives++ & 0x3fffffff);
  const int id = largest(parent, *parent.group, parent.rank, parent.collective_context(), tag, state.next_id);
  state.next_id = id + 1;
  return id;
}

int agree_on_id(RankState& state, Comm& parent, const Group& group, int tag) {
  const int id =
      largest(parent, group, group.rank_of(state.rank.id), parent.creation_context(), tag, state.next_id);
  state.next_id = id + 1;
  return id;
}

}  // namespace skein::vmpi
