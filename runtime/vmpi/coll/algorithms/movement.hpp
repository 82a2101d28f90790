// SPDX-License-Identifier: Apache-2.0
// Collectives that move data. Each function is the whole algorithm of one rank: called on a fiber of a
// member, by all members, with checked arguments; may switch, may move. Returns an MPI error class, not
// raised.
//
// Sizes that all members know alike decide which algorithm runs, never the places of ranks. Types may be
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

/// `in_place`: the root's own piece is in its place already. On other ranks `all` is not read.
int run_gather(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place);
int run_gatherv(Comm& comm, int tag, const Data& mine, const Blocks& all, int root, bool in_place);
int run_scatter(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place);
int run_scatterv(Comm& comm, int tag, const Blocks& all, const Data& mine, int root, bool in_place);

inline constexpr char kWaitingInAllgather[] = "in an allgather%b, for rank %d of its communicator";
/// `all`: equal pieces or not. `in_place`: the own piece is in `all`, and `mine` is not read. `waiting` (see
/// Channel) and `said` (meeting/claim.hpp): those of the collective that this is a part of, if it is.
int run_allgather(Comm& comm, int tag, const Data& mine, const Blocks& all, bool in_place,
                  WaitReason waiting = {kWaitingInAllgather, {-1, 0}}, std::uint16_t said = 0);
/// Serves all three forms. `in_place`: the outgoing pieces are in `incoming`.
int run_alltoall(Comm& comm, int tag, const Blocks& outgoing, const Blocks& incoming, bool in_place);

}  // namespace skein::vmpi
