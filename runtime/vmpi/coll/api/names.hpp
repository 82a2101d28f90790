// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace skein::vmpi {

/// The blocking collectives, whose calls can be sync points (--sync-at), separated by bars.
inline constexpr std::string_view kBlockingCollectives =
    "MPI_Allgather|MPI_Allgatherv|MPI_Allreduce|MPI_Alltoall|MPI_Alltoallv|MPI_Alltoallw|MPI_Barrier|"
    "MPI_Bcast|MPI_Exscan|MPI_Gather|MPI_Gatherv|MPI_Neighbor_allgather|MPI_Neighbor_allgatherv|"
    "MPI_Neighbor_alltoall|MPI_Neighbor_alltoallv|MPI_Neighbor_alltoallw|MPI_Reduce|MPI_Reduce_scatter|"
    "MPI_Reduce_scatter_block|MPI_Scan|MPI_Scatter|MPI_Scatterv|MPI_Win_fence";

}  // namespace skein::vmpi
