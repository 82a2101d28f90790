// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/comm/inter.hpp"

#include <algorithm>

#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"

namespace skein::vmpi {

Comm* make_intercomm(RankState& state, Group* local, Group* remote, std::int64_t id) {
  Comm* const comm = make_comm(state, local, id);
  comm->remote = remote;
  comm->members = *remote;
  ++local->references;
  comm->local = make_comm(state, local, -1);
  if (id >= 0) set_id(*comm, id);
  return comm;
}

void set_id(Comm& comm, std::int64_t id) {
  comm.id = id;
  if (comm.local) comm.local->id = id + 1;
}

void exchange_between(Comm& inter, int tag, const void* mine, void* theirs, std::size_t bytes) {
  const Data incoming = byte_data(theirs, bytes);
  if (inter.rank == 0)
    Channel(inter, tag, kInCreation).exchange(0, byte_data(const_cast<void*>(mine), bytes), 0, incoming);
  (void)run_bcast(*inter.local, tag, incoming, 0);  // equal lengths do not fail
}

std::vector<int> exchange_lists_between(Comm& inter, int tag, const std::vector<int>& mine) {
  const std::size_t own_count = mine.size();
  std::size_t count = 0;
  exchange_between(inter, tag, &own_count, &count, sizeof count);
  RankState& state = current_state();
  const Scratch own(state, own_count * sizeof(int)), other(state, count * sizeof(int));
  std::ranges::copy(mine, reinterpret_cast<int*>(own.data()));
  const Data outgoing = byte_data(own.data(), own_count * sizeof(int));
  const Data incoming = byte_data(other.data(), count * sizeof(int));
  if (inter.rank == 0) Channel(inter, tag, kInCreation).exchange(0, outgoing, 0, incoming);
  (void)run_bcast(*inter.local, tag, incoming, 0);
  const auto* const list = reinterpret_cast<const int*>(other.data());
  return {list, list + count};
}

std::int64_t agree_between(RankState& state, Comm& inter, int tag) {
  std::int64_t ids[2] = {inter.rank == 0 ? take_ids(state, kIdsPerIntercomm) : 0, 0};
  exchange_between(inter, tag, &ids[0], &ids[1], sizeof ids[1]);
  (void)run_bcast(*inter.local, tag, byte_data(&ids[0], sizeof ids[0]), 0);
  return local_is_first(inter) ? ids[0] : ids[1];
}

}  // namespace skein::vmpi
