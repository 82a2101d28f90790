// SPDX-License-Identifier: Apache-2.0
// The cause of each message in a queue, which a recorded job knows. A job that is not recorded pays only a
// test where messages are made, queued and freed.
#pragma once

#include <cstdint>

#include "skein/chare/settings.hpp"

namespace skein::chare {

struct Element;
struct Message;

struct Ticket {
  std::uint32_t object = 0;  ///< the sender; for a reduction the array
  std::uint32_t cause = 0;   ///< trace::Cause
  std::uint64_t serial = 0;  ///< among the object's messages, or the array's reductions
};

/// Returns the ticket of a message that has room for one in front of it.
inline Ticket& ticket_in_front_of(void* message) { return static_cast<Ticket*>(message)[-1]; }

/// Gives a queued message its ticket: it is a consequence of the running method, or of the message being
/// received.
[[gnu::cold]] void give_ticket(Message& message);

/// Gives an element that has just arrived the identity that it had on its former PE.
[[gnu::cold]] void take_expected_record(Element& element);

}  // namespace skein::chare
