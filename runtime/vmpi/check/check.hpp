// SPDX-License-Identifier: Apache-2.0
// What --check looks for beside mismatched collectives (coll/api/consistency.hpp): messages whose elements
// are others than those of their receive, or more; and what is left when MPI ends.
//
// A finding names rank, call and communicator. The job goes on. The first mistake of a kind on a PE is told
// at once, since it may be what the job hangs or dies of next; at the end PE 0 tells all, a line for each
// kind with the ranks that it was found of, and the job ends with status 1. Leaks are told at the end alone,
// and change the status with --check=leaks only.
#pragma once

#include <string>

#include "runtime/vmpi/check/findings.hpp"
#include "runtime/vmpi/check/type_code.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/match.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// From now on; before the first rank is made.
void start_checking();
/// When the ranks have ended, from the PE's own stack; collective over the PEs. Tells what was found. Whether
/// the job is to fail, on PE 0 at least: `leaks_count` by leaks, too.
bool conclude_checking(bool leaks_count);

/// What is kept of a rank. In its slot.
struct Checks;
Checks* new_checks(RankState& state);

/// "MPI_COMM_WORLD of 4".
std::string text_of(const Comm& comm);

/// A finding about a rank (printf form).
void tell(const RankState& state, Weight weight, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// The program gets a request; a receive is about to look for its message; a collective begins with that tag:
/// the call is the one that the rank is in, or `function`.
void note_request(const Request& request);
void note_receive(const Request& receive);
void note_collective_start(RankState& state, const Comm& comm, int tag, const char* function);
/// It is done with: nobody will ask about it any more.
void forget_request(const Request& request);
/// The call that a request belongs to.
const char* call_of(const Request& request);

/// A receive has got its message.
void check_match(const Request& receive, const Envelope& envelope);
/// Whether a message fits the data that the call of `request` receives it as.
void check_message(const Request& request, const Data& data, const Envelope& message);

/// The calling rank copies one to the other, one-sided: to or from `rank`.
void check_access(const Comm& comm, int rank, const Data& from, const Data& to);

/// When MPI ends for the rank, by the call of that name.
void check_leaks(RankState& state);

}  // namespace skein::vmpi
