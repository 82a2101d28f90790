// SPDX-License-Identifier: Apache-2.0
// What all processes told, on every process. Knows MPI by the program's communicator only.
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/advisor/told.hpp"
#include "skein/lb/cost.hpp"

namespace skein::advisor {

/// Collective. Throws std::invalid_argument on all processes alike.
Gathered gather(MPI_Comm comm, const ProcessInput& given);

/// The largest of each value over all processes, in place. Collective.
void reduce_max(MPI_Comm comm, std::span<double> values);

/// What messages take between the processes of `comm`, as the slowest pair finds it. Collective.
lb::CostModel measure_messages(MPI_Comm comm);

}  // namespace skein::advisor
