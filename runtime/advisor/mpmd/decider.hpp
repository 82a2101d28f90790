// SPDX-License-Identifier: Apache-2.0
// What a process does that decides for the advisors of the application (runtime/advisor/wire.hpp): a reserved
// one does nothing else, others do so while they wait for advice themselves.
//
// Each process of the application talks to one of those that decide, its own, which has a block of them.
// Which of these do is a matter of the advisor:
//
//   alone      the first one, to whom the others pass on what is asked, and from whom the answers come back
//   together   all, by a strategy that is a parallel program: each keeps what it is asked. The first one
//              counts questions, and when all members have asked, tells all to decide on that advisor next
//
// What these processes say to each other goes in one order from each to each, so that all decide on the
// same advisors in the same order.
#pragma once
#include <mpi.h>

namespace skein::mpmd {

/// Which of m deciding processes, counted from 0, process p of the n of the application talks to.
inline int own_decider(int p, int n, int m) { return static_cast<int>(static_cast<long>(p) * m / n); }

/// Once, on those that decide: for the first `application` processes of `job`. Collective over `deciders`.
/// Tells where one decides for reasons.
void begin_deciding(MPI_Comm job, int application, MPI_Comm deciders);
/// Does what is to be done for one message that has come; on others nothing. Does not wait, except for the
/// others that decide, in a decision that all make together.
void decide_what_came();
/// Returns when all processes of the application have come to their end, on others at once. Collective over
/// those that decide. Tells if nobody has ever asked.
void decide_until_end();

}  // namespace skein::mpmd
