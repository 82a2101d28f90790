// SPDX-License-Identifier: Apache-2.0
// The ids of communicators, from which their contexts follow.
#pragma once

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

/// Agrees on the id of a new communicator with the other members of `parent` (collective over it). May
/// switch.
///
/// Its first member gives the id: its own number in the world and how many ids it gave before. So no two are
/// alike, however many agreements a rank takes part in at once. The communicators of a split share one, which
/// is harmless: no message can come from the other group. Over an intercommunicator all of both groups agree,
/// and the next id is theirs, too.
std::int64_t agree_on_id(RankState& state, Comm& parent);
/// Agrees on an id with the tag of a collective that has begun already.
std::int64_t agree_on_id(RankState& state, Comm& parent, int collective_tag);
/// Agrees on an id among the members of `group` alone, who all call it with the same `tag`
/// (MPI_Comm_create_group).
std::int64_t agree_on_id(RankState& state, Comm& parent, const Group& group, int tag);

}  // namespace skein::vmpi
