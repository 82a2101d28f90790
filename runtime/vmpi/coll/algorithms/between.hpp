// SPDX-License-Identifier: Apache-2.0
// Collectives of intercommunicators (MPI 4.1, 6.2.2, 6.2.3): each group gets the data of the other. Each
// function is the whole algorithm of one rank, as in movement.hpp and reduction.hpp, whose algorithms serve
// inside a group; between the groups, mostly the first ranks of both speak for the others.
//
// If there is a root, it passes MPI_ROOT, the other ranks of its group pass MPI_PROC_NULL and have nothing to
// do, and the other group passes the root's rank. Arguments that a role does not need are not read.
#pragma once

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/coll/blocks/blocks.hpp"

namespace skein::vmpi {

/// Returns when all ranks of the other group have come.
int barrier_between(Comm& comm, int tag);
int bcast_between(Comm& comm, int tag, const Data& data, int root);

/// `all`: a piece for each rank of the remote group.
int gather_between(Comm& comm, int tag, const Data& mine, const Blocks& all, int root);
int scatter_between(Comm& comm, int tag, const Blocks& all, const Data& mine, int root);
/// `equal`: whether all pieces of a group have one length.
int allgather_between(Comm& comm, int tag, const Data& mine, const Blocks& all, bool equal);
int alltoall_between(Comm& comm, int tag, const Blocks& outgoing, const Blocks& incoming);

int reduce_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                   std::int64_t count, int root);
int allreduce_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                      std::int64_t count);
/// `counts`: by rank of the local group; if it is null, each rank gets `count` elements.
int reduce_scatter_between(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                           const Numbers& counts, std::int64_t count);

}  // namespace skein::vmpi
