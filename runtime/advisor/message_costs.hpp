// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include "skein/lb/cost.hpp"

namespace skein::advisor {

/// What messages take between the processes of `comm`, as the slowest pair finds it. Collective.
lb::CostModel measure_messages(MPI_Comm comm);

}  // namespace skein::advisor
