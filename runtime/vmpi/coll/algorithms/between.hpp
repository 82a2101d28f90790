// SPDX-License-Identifier: Apache-2.0
// Collectives of intercommunicators (MPI 4.1, 6.2.2, 6.2.3): what one group brings, the other one gets. Each
// is the whole algorithm of one rank, as in movement.hpp and reduction.hpp, whose algorithms serve inside of
// a group; between the groups, the first ranks of both mostly speak for the others.
//
// Where there is a root, it passes MPI_ROOT, its group MPI_PROC_NULL, for whom there is nothing to do, and
// the other group its rank. Arguments that a role does not need are not looked at.
#pragma once

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"

namespace skein::vmpi {

/// Nobody returns before all of the other group have come.
int barrier_between(Comm& comm, int tag);
int bcast_between(Comm& comm, int tag, const Data& data, int root);

/// `all`: a piece for every rank of the remote group.
int gather_between(Comm& comm, int tag, const Data& mine, const Blocks& all, int root);
int scatter_between(Comm& comm, int tag, const Blocks& all, const Data& mine, int root);
/// `equal`: the ranks of a group bring pieces of one length.
int allgather_between(Comm& comm, int tag, const Data& mine, const Blocks& all, bool equal);
int alltoall_between(Comm& comm, int tag, const Blocks& outgoing, const Blocks& incoming);

int reduce_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                   std::int64_t count, int root);
int allreduce_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                      std::int64_t count);
/// `counts` by rank of the local group; where it is null, every rank gets `count` elements.
int reduce_scatter_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                           const Numbers& counts, std::int64_t count);

}  // namespace skein::vmpi
