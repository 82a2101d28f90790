// SPDX-License-Identifier: Apache-2.0
// What is known in templates of calls over ordered channels (runtime/chare/activities/turn.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "skein/chare/message.hpp"

namespace skein::chare {

/// The place of a call among those of its channel.
struct Turn {
  std::uint64_t channel = 0;
  std::uint64_t number = 0;
};
/// A number that no other channel of the job has.
std::uint64_t new_channel();
/// How many this PE has made: the next has that number. A job that goes on from a state begins behind all.
std::uint64_t& channels_made();

/// Wraps a call, which it owns from then on.
Message& in_turn(const Turn& turn, Message& call);

/// What moves with an element that got ordered calls; those that it has kept return to the queue.
std::vector<std::byte> take_turns(Element& element);
void give_turns(Element& element, std::span<const std::byte> turns);

/// The name of the entry method that a call is of, whether or not it is ordered.
const char* method_of(const PackedCall& call);

}  // namespace skein::chare
