// SPDX-License-Identifier: Apache-2.0
// What PE 0 has to do with insertions. It knows the reductions and broadcasts that a new element is the first
// to take part in, and numbers insertions; the arguments go straight from who inserts to where the element is
// made. PEs ask it up the tree over all PEs, and none asks its parent again before it was answered: what
// comes meanwhile, from its children, too, becomes one question. So PE 0 hears of as many insertions as there
// are, but in no more messages than its children find time for.
//
// What a PE tells others after it has asked comes after: contributions follow the question up the tree, and
// what goes to PE 0 directly waits for the answer. So a reduction waits for what was inserted before an
// element contributed to it, and a broadcast reaches what its PE inserted before.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "runtime/chare/elements/families.hpp"

namespace skein::chare {

/// `number`: of the insertion, rising. `beginnings`: of the array and, before it, those bound to it.
using Granted = std::function<void(std::uint32_t number, std::span<const Beginning> beginnings)>;
/// Calls back when an insertion into this array may be made; on PE 0 at once, elsewhere inside a poll.
void ask_for_insertion(std::uint32_t array, Granted granted);

/// Whether something is not granted that this PE has asked for.
bool awaits_grants();
/// Calls back when all is granted that this PE has asked for so far, in the order of these calls: at once if
/// nothing is missing.
void after_grants(std::function<void()> call);

/// How many PE 0 has granted: the next is numbered behind. For states of the job.
std::uint32_t& insertions_granted();

/// Before something goes up the tree: asks for what was not asked for yet.
void send_insertion_requests();

}  // namespace skein::chare
