// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/sync_at.hpp"

#include <algorithm>
#include <iterator>

#include "runtime/base/check.hpp"
#include "runtime/move/sync.hpp"

namespace skein::vmpi {
namespace {

constexpr std::string_view names[] = {"MPI_Allgather",      "MPI_Allgatherv",
                                      "MPI_Allreduce",      "MPI_Alltoall",
                                      "MPI_Alltoallv",      "MPI_Alltoallw",
                                      "MPI_Barrier",        "MPI_Bcast",
                                      "MPI_Exscan",         "MPI_Gather",
                                      "MPI_Gatherv",        "MPI_Reduce",
                                      "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
                                      "MPI_Scan",           "MPI_Scatter",
                                      "MPI_Scatterv"};

std::string_view chosen;
std::uint64_t period = 0;

}  // namespace

bool sync_at_set = false;

void set_sync_at(std::string_view call, std::uint64_t every) {
  const auto* const found = std::find(std::begin(names), std::end(names), call);
  SKEIN_CHECK(found != std::end(names) && every > 0, "--sync-at %.*s", static_cast<int>(call.size()),
              call.data());
  chosen = *found;
  period = every;
  sync_at_set = true;
}

void count_collective(RankState& state, std::string_view function) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  if (function == chosen && ++state.trigger_calls % period == 0) move::sync_point(state.sync_points);
}

}  // namespace skein::vmpi
