// SPDX-License-Identifier: Apache-2.0
// The work of a process that decides for the advisors of the application (runtime/advisor/wire.hpp). A
// reserved process does nothing else; others decide while they wait for advice themselves.
//
// Each process of the application talks to its own decider, which has a block of them. The advisor determines
// which deciders decide:
//
//   alone      the first one, to which the others pass questions on, and which sends the answers back
//   together   all, by a strategy that is a parallel program: each keeps the questions it gets. The first one
//              counts questions, and when all members have asked, tells all to decide on that advisor next
//
// Messages between two of these processes keep their order, so that all decide on the same advisors in the
// same order.
#pragma once
#include <mpi.h>

namespace skein::mpmd {

/// Returns which of m deciders, counted from 0, process p of the n of the application talks to.
inline int own_decider(int p, int n, int m) { return static_cast<int>(static_cast<long>(p) * m / n); }

/// Begins to decide for the first `application` processes of `job`. Once, on the deciders. Collective over
/// `deciders`. Prints why only one decides, if so.
void begin_deciding(MPI_Comm job, int application, MPI_Comm deciders);
/// Handles one message that has come; does nothing on processes that do not decide. Waits only for other
/// deciders, in a decision that all make together.
void decide_what_came();
/// Decides until all processes of the application have come to their end; returns at once on processes that
/// do not decide. Collective over the deciders. Prints a message if nobody has ever asked.
void decide_until_end();

}  // namespace skein::mpmd
