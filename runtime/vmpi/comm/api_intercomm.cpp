// SPDX-License-Identifier: Apache-2.0
// Making, merging and asking intercommunicators (MPI 4.1, 7.6).
#include <algorithm>
#include <vector>

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/comm/api_comm.hpp"
#include "runtime/vmpi/comm/ids.hpp"
#include "runtime/vmpi/comm/inter.hpp"
#include "runtime/vmpi/record/collectives.hpp"

namespace skein::vmpi {
namespace {

/// The message of a group's leader to the other leader, and then to its own group.
struct Introduction {
  std::int64_t id;     ///< first of the ids that this leader offers; the offer of the first group counts
  std::int32_t size;   ///< of its group
  std::int32_t error;  ///< to its own group: the reason that there will be no communicator
};

/// Gets the other leader's introduction and the members of its group. Called by the leader.
void assemble_with_leader(const Comm& local, const Bridge& bridge, const Introduction& mine,
                          Introduction& other, std::vector<int>& members) {
  Comm& peer = *bridge.peer;
  const int remote_leader = bridge.remote_leader;
  const Route route{bridge.context < 0 ? peer.bridge_context() : bridge.context, bridge.tag, kInCreation};
  exchange_bytes(peer, route, remote_leader, &mine, sizeof mine, &other, sizeof other);
  std::vector<int> own(static_cast<std::size_t>(local.size()));
  for (int rank = 0; rank < local.size(); ++rank)
    own[static_cast<std::size_t>(rank)] = local.world_rank(rank);
  members.resize(static_cast<std::size_t>(other.size));
  exchange_bytes(peer, route, remote_leader, own.data(), own.size() * sizeof(int), members.data(),
                 members.size() * sizeof(int));
}

int check_leader(const ApiCall& call, MPI_Comm handle, int remote_leader, int tag, Comm*& peer) {
  SKEIN_TRY(get_comm(call, handle, peer));
  if (remote_leader == MPI_PROC_NULL) return raise_bad_peer(call, peer, remote_leader);
  SKEIN_TRY(check_peer(call, peer, remote_leader));
  return check_tag(call, peer, tag);
}

bool overlap(const Group& group, const std::vector<int>& world_ranks) {
  return std::ranges::any_of(world_ranks, [&](int rank) { return group.rank_of(rank) != MPI_UNDEFINED; });
}

int merge(const ApiCall& call, Comm& inter, bool high, MPI_Comm* out) {
  RankState& state = call.state;
  const RecordedCreation recorded(state, &inter);
  const int tag = next_collective_tag(inter);
  check_consistency(inter, tag, call.function, {});
  const int mine = high;
  int other = 0;
  exchange_between(inter, tag, &mine, &other, sizeof other);
  const std::int64_t id = agree_on_id(state, inter);
  const bool goes_first = mine != other ? !high : local_is_first(inter);
  const Group* const groups[2] = {goes_first ? inter.group : inter.remote,
                                  goes_first ? inter.remote : inter.group};
  std::vector<int> members;
  for (const Group* group : groups)
    for (int rank = 0; rank < group->size; ++rank) members.push_back(group->world_rank(rank));
  *out = publish_comm(state, *make_comm(state, make_group(state, members), id), inter);
  return MPI_SUCCESS;
}

}  // namespace

int create_intercomm(const ApiCall& call, Comm& local, int local_leader, const Bridge& bridge,
                     MPI_Comm* out) {
  RankState& state = call.state;
  RecordedCreation recorded(state);
  const int collective = next_collective_tag(local);
  check_consistency(local, collective, call.function, {});
  Introduction mine{0, local.size(), bridge.error}, other{};
  std::vector<int> members;
  if (local.rank == local_leader && bridge.error == MPI_SUCCESS) {
    mine.id = take_ids(state, kIdsPerIntercomm);
    assemble_with_leader(local, bridge, mine, other, members);
  }
  // The group gets both introductions, or the leader's error.
  (void)run_bcast(local, collective, byte_data(&mine, sizeof mine), local_leader);
  if (mine.error != MPI_SUCCESS)
    return local.rank == local_leader
               ? mine.error
               : raise(call, &local, mine.error, "the leader, rank %d, names no other leader", local_leader);
  (void)run_bcast(local, collective, byte_data(&other, sizeof other), local_leader);
  members.resize(static_cast<std::size_t>(other.size));
  (void)run_bcast(local, collective, byte_data(members.data(), members.size() * sizeof(int)), local_leader);
  if (overlap(*local.group, members))
    return raise(call, &local, MPI_ERR_GROUP, "the two groups have ranks in common");
  const bool first = local.world_rank(0) < members.front();
  ++local.group->references;
  Comm& comm = *make_intercomm(state, local.group, make_group(state, members), first ? mine.id : other.id);
  recorded.is_over(comm);
  *out = publish_comm(state, comm, local);
  return MPI_SUCCESS;
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
                         int tag, MPI_Comm* newintercomm) {
  ApiCall call("MPI_Intercomm_create");
  SKEIN_GET(Comm*, local, get_intracomm(call, local_comm, local));
  if (local_leader < 0 || local_leader >= local->size()) return raise_bad_peer(call, local, local_leader);
  *newintercomm = MPI_COMM_NULL;
  Bridge bridge{nullptr, remote_leader, tag};
  if (local->rank == local_leader)
    bridge.error = check_leader(call, peer_comm, remote_leader, tag, bridge.peer);
  return create_intercomm(call, *local, local_leader, bridge, newintercomm);
}

int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  ApiCall call("MPI_Intercomm_merge");
  SKEIN_GET(Comm*, inter, get_intercomm(call, intercomm, inter));
  return merge(call, *inter, high != 0, newintracomm);
}

int MPI_Comm_test_inter(MPI_Comm handle, int* flag) {
  ApiCall call("MPI_Comm_test_inter");
  SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
  *flag = comm->remote != nullptr;
  return MPI_SUCCESS;
}

int MPI_Comm_remote_size(MPI_Comm handle, int* size) {
  ApiCall call("MPI_Comm_remote_size");
  SKEIN_GET(Comm*, comm, get_intercomm(call, handle, comm));
  *size = comm->remote->size;
  return MPI_SUCCESS;
}

int MPI_Comm_remote_group(MPI_Comm handle, MPI_Group* group) {
  ApiCall call("MPI_Comm_remote_group");
  SKEIN_GET(Comm*, comm, get_intercomm(call, handle, comm));
  ++comm->remote->references;
  *group = call.state.groups.add(comm->remote);
  return MPI_SUCCESS;
}

}  // extern "C"
