// SPDX-License-Identifier: Apache-2.0
// The functions for calls over ordered channels that templates use (runtime/chare/activities/turn.cpp).
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
/// Returns a number that no other channel of the job has.
std::uint64_t new_channel();
/// Returns how many channels this PE has made: the next gets that number. A job that continues from a state
/// begins behind all.
std::uint64_t& channels_made();

/// Returns a message that wraps `call` and owns it.
Message& in_turn(const Turn& turn, Message& call);

/// Take and give the turns of a moving element that got ordered calls; calls that it has kept return to the
/// queue.
std::vector<std::byte> take_turns(Element& element);
void give_turns(Element& element, std::span<const std::byte> turns);

/// Returns the name of the entry method of a call, ordered or not.
const char* method_of(const PackedCall& call);

}  // namespace skein::chare
