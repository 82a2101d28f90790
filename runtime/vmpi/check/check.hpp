// SPDX-License-Identifier: Apache-2.0
// --check beside mismatched collectives (coll/api/consistency.hpp): it finds messages whose elements differ
// from those of their receive, or are more; and objects that are left when MPI ends.
//
// A finding names rank, call and communicator. The job goes on. The first mistake of a kind on a PE is
// printed at once, since the job may hang or die of it; at the end PE 0 prints all, a line for each kind with
// the ranks concerned, and the job ends with status 1. Leaks are printed at the end alone, and change the
// status with --check=leaks only.
#pragma once

#include <string>

#include "runtime/vmpi/check/findings.hpp"
#include "runtime/vmpi/check/type_code.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/match.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Turns checks on. Called before the first rank is made.
void start_checking();
/// Prints the findings. Returns true, on PE 0 at least, if the job is to fail; `leaks_count`: for leaks, too.
/// Called when the ranks have ended, on the PE's own stack; collective over the PEs.
bool conclude_checking(bool leaks_count);

/// The checks' data of a rank. In its slot.
struct Checks;
Checks* new_checks(RankState& state);

/// Returns a communicator as text, for example "MPI_COMM_WORLD of 4".
std::string text_of(const Comm& comm);

/// Notes a finding about a rank (printf form).
void tell(const RankState& state, Weight weight, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Note the call that the program gets a request from, that posts a receive, or that begins a collective of
/// that tag: the call that the rank is in, or `function`.
void note_request(const Request& request);
void note_receive(const Request& receive);
void note_collective_start(RankState& state, const Comm& comm, int tag, const char* function);
/// Drops the note of a request that is over.
void forget_request(const Request& request);
/// Returns the call that a request belongs to.
const char* call_of(const Request& request);

/// Checks the message that a receive has got.
void check_match(const Request& receive, const Envelope& envelope);
/// Checks that a message fits the data that the call of `request` receives it as.
void check_message(const Request& request, const Data& data, const Envelope& message);

/// Checks a one-sided copy of the calling rank, to or from `rank`.
void check_access(const Comm& comm, int rank, const Data& from, const Data& to);

/// Finds leaks when MPI ends for the rank, by the call that the rank is in.
void check_leaks(RankState& state);

}  // namespace skein::vmpi
