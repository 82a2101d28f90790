// SPDX-License-Identifier: Apache-2.0
// Intercommunicators (MPI 4.1, 7.6): a local and a remote group, disjoint, whose ranks send to each other.
//
//   comm.group    the local group, in which comm.rank is this rank's own
//   comm.remote   the remote group; messages go to its members and come from them: comm.members, comm.size()
//   comm.local    an intracommunicator of the local group alone, for the parts of a collective inside of it
//
// A message's source is its sender's rank in the sender's group, which is the receiver's remote group: so
// matching and statuses need nothing beside. Both groups know the intercommunicator by one id. A rank
// receives from one group only, so both directions share its contexts. The id behind it belongs to the two
// local intracommunicators, which have no member in common; only collectives of the intercommunicator use
// them, under its own tags. Wherever ranks are named by number on the wire, they are those of the world.
//
// All functions: from a rank's fiber; those that communicate may switch, and the rank may be elsewhere when
// they return.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// How many ids in a row an intercommunicator takes.
inline constexpr int kIdsPerIntercomm = 2;

/// An intercommunicator of two groups (whose references it takes). Does not communicate. `id` may be -1, to
/// be set later by set_id().
Comm* make_intercomm(RankState& state, Group* local, Group* remote, std::int64_t id);
/// Gives a communicator that was made with id -1 its own.
void set_id(Comm& comm, std::int64_t id);

/// Which of the two groups is the first where something must be decided: on both sides the same one.
inline bool local_is_first(const Comm& inter) {
  return inter.group->world_rank(0) < inter.remote->world_rank(0);
}

/// The first ranks of both groups exchange so many bytes each; all members get what the other group's has
/// brought. Collective over both groups, under the tag of a collective that has begun.
void exchange_between(Comm& inter, int tag, const void* mine, void* theirs, std::size_t bytes);
/// Exchanges lists whose lengths may differ; from the rank's main fiber, which does not move meanwhile.
std::vector<int> exchange_lists_between(Comm& inter, int tag, const std::vector<int>& mine);

/// agree_on_id() over both groups. Takes kIdsPerIntercomm.
std::int64_t agree_between(RankState& state, Comm& inter, int tag);

}  // namespace skein::vmpi
