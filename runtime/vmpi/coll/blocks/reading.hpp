// SPDX-License-Identifier: Apache-2.0
// What leaders of PEs that see each other's slots tell each other by messages, where there is no exchange:
// where what a PE has for others is to be read, and that it was read.
#pragma once

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/meeting/node_exchange.hpp"

namespace skein::vmpi {

/// Those that give tell those that take an address: `own`. The others' come to `of_leader`, by rank among the
/// leaders.
void tell_places(Channel& leaders, Direction direction, const void* own, const void** of_leader);
/// What was read may change from here on. `tag`, `reason`: of the collective.
void tell_read(Channel& channel, Comm& leaders, Direction direction, int tag, WaitReason reason);

}  // namespace skein::vmpi
