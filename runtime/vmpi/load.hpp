// SPDX-License-Identifier: Apache-2.0
// What a program can say about its ranks for load balancing.
#pragma once

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// The load of the calling rank from now on: finite, not negative; otherwise raises MPI_ERR_ARG.
int declare_load(const ApiCall& call, double load);
/// Where the calling rank works from now on: finite as floats; otherwise raises MPI_ERR_ARG.
int declare_position(const ApiCall& call, double x, double y, double z);

/// Time that the calling rank computes between the two does not count; calls of either twice in a row are
/// one.
void stop_measuring(RankState& state);
void start_measuring(RankState& state);
/// What was measured since the last LB step is forgotten.
void reset_measuring(RankState& state);

}  // namespace skein::vmpi
