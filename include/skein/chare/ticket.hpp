// SPDX-License-Identifier: Apache-2.0
// What a job that is recorded knows of each message in a queue: what it is a consequence of. Nothing of this
// is there in a job that is not recorded, but for one question where messages are made, queued and freed.
#pragma once

#include <cstdint>

#include "skein/chare/settings.hpp"

namespace skein::chare {

struct Element;
struct Message;

struct Ticket {
  std::uint32_t object = 0;  ///< whose message it is; of a reduction: the array
  std::uint32_t cause = 0;   ///< trace::Cause
  std::uint64_t serial = 0;  ///< of the object's messages; of the array's reductions
};

/// The ticket of a message that has room for one in front of it.
inline Ticket& ticket_in_front_of(void* message) { return static_cast<Ticket*>(message)[-1]; }

/// A message is put in the queue: it is a consequence of what runs, or of what is being received.
[[gnu::cold]] void give_ticket(Message& message);

/// An element that has arrived has just been made: it is who it was where it came from.
[[gnu::cold]] void take_expected_record(Element& element);

}  // namespace skein::chare
