// SPDX-License-Identifier: Apache-2.0
// What a reserved process does: it decides for the advisors of the application (runtime/advisor/wire.hpp).
#pragma once
#include <mpi.h>

namespace skein::mpmd {

// Returns when all `application` processes, the first ones of `job`, have come to their end. The first
// reserved process answers all questions, one after the other; the others wait asleep for it to return.
// Collective over the reserved processes. Tells if nobody has ever asked.
void decide_until_end(MPI_Comm job, int application);

}  // namespace skein::mpmd
