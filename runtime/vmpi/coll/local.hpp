// SPDX-License-Identifier: Apache-2.0
// Blocking collectives that combine on the PE first: the members on a PE meet (meeting_place.hpp), their
// leader takes part in the rank-to-rank algorithm among the leaders of all PEs, and whoever completes the
// collective serves the others, so that a member switches once, however many there are.
//
// All functions: from a member's main fiber, by all members, with checked arguments; may switch. Return an
// MPI error class, not raised. Preconditions: the place is the communicator's, and all members come to the
// same decision to meet, so it may depend on nothing that differs between them.
#pragma once

#include "runtime/base/log.hpp"
#include "runtime/vmpi/coll/meeting_place.hpp"
#include "runtime/vmpi/coll/movement.hpp"
#include "runtime/vmpi/coll/reduction.hpp"

namespace skein::vmpi {

/// The largest message to meet for. Above, the algorithms that divide the data are better.
inline constexpr std::size_t longest_to_meet = 64 * 1024;

/// Where a blocking collective of `comm` meets; null when it does not. With -v members do not meet: the check
/// of their calls has messages under the same tag.
inline MeetingPlace* place_to_meet(Comm& comm) {
  return log_level < LogLevel::verbose ? meeting_place(comm) : nullptr;
}

inline constexpr char in_barrier[] = "in MPI_Barrier, for the other ranks of its communicator";
/// The part of a barrier beyond this PE.
void complete_barrier(MeetingPlace& place, const Comm& comm, int tag, const char* waiting);
// Here, because a return after a switch is one that the processor predicts wrongly: the fewer the better.
inline void barrier_at(MeetingPlace& place, const Comm& comm, int tag, const char* purpose = in_barrier,
                       const char* waiting = waiting_in_barrier) {
  if (meet(place, comm, nullptr, purpose)) complete_barrier(place, comm, tag, waiting);
}
int bcast_at(MeetingPlace& place, Comm& comm, int tag, const Data& data, int root);

/// Whether a reduction meets. Not under --deterministic: the order of combination follows from placement.
/// Not for operations of the program: they need not commute, and must run as the rank that brought the data.
bool reduction_meets(const Reduction& reduction, std::int64_t count);
inline constexpr int no_root = -1;
/// Precondition: reduction_meets(). `root` no_root: everybody gets the result, which is bitwise the same on
/// all.
int reduce_at(MeetingPlace& place, Comm& comm, int tag, const Reduction& reduction, const void* input,
              void* result, std::int64_t count, int root);

}  // namespace skein::vmpi
