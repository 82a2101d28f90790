// SPDX-License-Identifier: Apache-2.0
// What a reserved process does: it decides for the advisors of the application (runtime/advisor/wire.hpp).
//
// Each process of the application talks to one reserved process, its own, which has a block of them. Which of
// the reserved ones decide is a matter of the advisor:
//
//   alone      the first one, to whom the others pass on what is asked, and from whom the answers come back
//   together   all, by a strategy that is a parallel program: each keeps what it is asked. The first one
//              counts questions, and when all members have asked, tells all to decide on that advisor next
//
// What reserved processes say to each other goes in one order from each to each, so that all decide on the
// same advisors in the same order.
#pragma once
#include <mpi.h>

namespace skein::mpmd {

// Which of m reserved processes, counted from 0, process p of the n of the application talks to.
inline int own_decider(int p, int n, int m) { return static_cast<int>(static_cast<long>(p) * m / n); }

// Returns when all `application` processes, the first ones of `job`, have come to their end. Collective over
// the reserved processes. Tells if nobody has ever asked, and where one decides for reasons.
void decide_until_end(MPI_Comm job, int application);

}  // namespace skein::mpmd
