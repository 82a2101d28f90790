// SPDX-License-Identifier: Apache-2.0
// Calls by which a program describes its ranks for load balancing.
#pragma once

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Sets the load of the calling rank from now on. Raises MPI_ERR_ARG unless it is finite and not negative.
int declare_load(const ApiCall& call, double load);
/// Sets the position of the calling rank's work from now on. Raises MPI_ERR_ARG unless it is finite as
/// floats.
int declare_position(const ApiCall& call, double x, double y, double z);

/// Stop and start the measuring of the calling rank's load; time between the two does not count. Repeated
/// calls of one have no effect.
void stop_measuring(RankState& state);
void start_measuring(RankState& state);
/// Discards the load measured since the last LB step.
void reset_measuring(RankState& state);

}  // namespace skein::vmpi
