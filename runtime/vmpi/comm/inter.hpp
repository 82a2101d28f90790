// SPDX-License-Identifier: Apache-2.0
// Intercommunicators (MPI 4.1, 7.6): a local and a remote group, disjoint, whose ranks send to each other.
//
//   comm.group    the local group, in which comm.rank is this rank's own
//   comm.remote   the remote group; messages go to its members and come from them: comm.members, comm.size()
//   comm.local    an intracommunicator of the local group alone, for the parts of a collective inside of it
//
// A message's source is its sender's rank in the sender's group, which is the receiver's remote group: so
// matching and statuses work as usual. Both groups know the intercommunicator by one id. A rank receives from
// one group only, so both directions share its contexts. The next id belongs to the two local
// intracommunicators, which have no member in common; only collectives of the intercommunicator use them,
// under its own tags. Messages name ranks by their numbers in the world.
//
// All functions are called from a rank's fiber; those that communicate may switch, and the rank may be on
// another PE when they return.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// The number of consecutive ids that an intercommunicator takes.
inline constexpr int kIdsPerIntercomm = 2;

/// Makes an intercommunicator of two groups (whose references it takes). Does not communicate. `id` may be
/// -1, and be set later by set_id().
Comm* make_intercomm(RankState& state, Group* local, Group* remote, std::int64_t id);
/// Sets the id of a communicator that was made with id -1.
void set_id(Comm& comm, std::int64_t id);

/// Returns true if the local group is first where the two groups need an order, which is the same on both
/// sides.
inline bool local_is_first(const Comm& inter) {
  return inter.group->world_rank(0) < inter.remote->world_rank(0);
}

/// Exchanges `bytes` bytes between the first ranks of both groups; all members get those of the other group.
/// Collective over both groups, under the tag of a collective that has begun.
void exchange_between(Comm& inter, int tag, const void* mine, void* theirs, std::size_t bytes);
/// Exchanges lists whose lengths may differ; called from the rank's main fiber, which does not move
/// meanwhile.
std::vector<int> exchange_lists_between(Comm& inter, int tag, const std::vector<int>& mine);

/// Agrees on an id over both groups, for agree_on_id(). Takes kIdsPerIntercomm ids.
std::int64_t agree_between(RankState& state, Comm& inter, int tag);

}  // namespace skein::vmpi
