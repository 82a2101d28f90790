// SPDX-License-Identifier: Apache-2.0
// PE 0's part in insertions. It knows the first reductions and broadcasts that a new element takes part in,
// and numbers insertions; the arguments go straight from the inserting PE to the PE where the element is
// made. PEs ask up the tree over all PEs, and none asks its parent again before it was answered: requests
// that come meanwhile, also from its children, become one. So PE 0 hears of all insertions, but in no more
// messages than its children find time for.
//
// Messages that a PE sends after it has asked arrive after the request: contributions follow it up the tree,
// and messages directly to PE 0 wait for the answer. So a reduction waits for elements inserted before an
// element contributed to it, and a broadcast reaches elements that its PE inserted before.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "runtime/chare/elements/families.hpp"

namespace skein::chare {

/// Receives a grant. `number`: of the insertion, rising. `beginnings`: of the arrays bound to the array, then
/// its own.
using Granted = std::function<void(std::uint32_t number, std::span<const Beginning> beginnings)>;
/// Calls back when an insertion into this array may be made; on PE 0 at once, elsewhere inside a poll.
void ask_for_insertion(std::uint32_t array, Granted granted);

/// Returns true if a request of this PE is not granted yet.
bool awaits_grants();
/// Calls back when all requests of this PE so far are granted, in the order of these calls: at once if none
/// is open.
void after_grants(std::function<void()> call);

/// Returns how many insertions PE 0 has granted: the next number follows. For states of the job.
std::uint32_t& insertions_granted();

/// Sends the requests not sent yet, before other messages go up the tree.
void send_insertion_requests();

}  // namespace skein::chare
