// SPDX-License-Identifier: Apache-2.0
// Gathers the reports of all processes on every process. Calls MPI on the program's communicator only.
#pragma once

#include <mpi.h>

#include <span>

#include "runtime/advisor/told.hpp"
#include "skein/lb/cost.hpp"

namespace skein::advisor {

/// Gathers the reports. Collective. Throws std::invalid_argument on all processes alike.
Gathered gather(MPI_Comm comm, const ProcessInput& given);

/// Replaces each value with the largest over all processes. Collective.
void reduce_max(MPI_Comm comm, std::span<double> values);

/// Measures messages between the processes of `comm`; the slowest pair counts. Collective.
lb::CostModel measure_messages(MPI_Comm comm);

}  // namespace skein::advisor
