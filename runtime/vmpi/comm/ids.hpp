// SPDX-License-Identifier: Apache-2.0
// The ids of communicators, from which their contexts follow.
#pragma once

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// Agrees on the id of a new communicator with the other members of `parent` (collective over it). May
/// switch.
///
/// The first member gives the id, made of its own number in the world and the number of ids that it gave
/// before. So ids are unique, however many agreements a rank takes part in at once. The communicators of a
/// split share one id, which is harmless: no message can come from another of them. Over an intercommunicator
/// the members of both groups agree, and own the next id, too.
std::int64_t agree_on_id(RankState& state, Comm& parent);
/// Agrees on an id with the tag of a collective that has begun already.
std::int64_t agree_on_id(RankState& state, Comm& parent, int collective_tag);
/// Agrees on an id among the members of `group` alone, who all call it with the same `tag`
/// (MPI_Comm_create_group).
std::int64_t agree_on_id(RankState& state, Comm& parent, const Group& group, int tag);

}  // namespace skein::vmpi
