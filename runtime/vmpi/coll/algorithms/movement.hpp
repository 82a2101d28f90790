// SPDX-License-Identifier: Apache-2.0
// Collectives that move data. Each is the whole algorithm of one rank: called on a fiber of a member, by all
// members, with arguments that were checked; may switch, may move. Returns an MPI error class, not raised.
//
// Which algorithm runs depends on sizes that all members know alike, never on where ranks are. Types may be
// derived and differ between ranks, as long as the signatures match.
#pragma once

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"

namespace skein::vmpi {

inline constexpr char kWaitingInBarrier[] = "in MPI_Barrier%b, for rank %d of its communicator";
/// `waiting`: see Channel.
int run_barrier(Comm& comm, int tag, const char* waiting = kWaitingInBarrier);
inline constexpr char kWaitingInBcast[] = "in MPI_Bcast from root %d%b, for rank %d of its communicator";
int run_bcast(Comm& comm, int tag, const Data& data, int root, WaitReason waiting);
inline int run_bcast(Comm& comm, int tag, const Data& data, int root) {
  return run_bcast(comm, tag, data, root, {kWaitingInBcast, {root, 0}});
}

/// `in_place`: the root's own piece is where it belongs already. Away from the root, `all` is not looked at.
int run_gather(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place);
int run_gatherv(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place);
int run_scatter(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place);
int run_scatterv(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place);

inline constexpr char kWaitingInAllgather[] = "in an allgather%b, for rank %d of its communicator";
/// Equal pieces or not. `in_place`: the own piece is in `all`; `mine` is not looked at. Of what it is a part,
/// if it is: `waiting` (see Channel) and `said` (meeting/claim.hpp).
int run_allgather(Comm& comm, int tag, const Data& mine, const Blocks& all, bool in_place,
                  WaitReason waiting = {kWaitingInAllgather, {-1, 0}}, std::uint16_t said = 0);
/// All three forms. `in_place`: what is sent is in `incoming`.
int run_alltoall(Comm& comm, int tag, const Blocks& outgoing, const Blocks& incoming, bool in_place);

}  // namespace skein::vmpi
