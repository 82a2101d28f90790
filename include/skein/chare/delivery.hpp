// SPDX-License-Identifier: Apache-2.0
// Calls for elements of other PEs, and where these are.
#pragma once

#include "skein/chare/array_base.hpp"

namespace skein::chare {

void send_call(int pe, std::uint32_t array, Bytes index, PackedCall&& call);
/// A message that is made already, to an element that is not here; the message is used up. Returns how many
/// bytes its arguments were packed into.
std::size_t send_message(ArrayBase& array, Bytes index, Message& message, std::int64_t priority,
                         std::uint16_t hops = 0);
/// Sends a message that is made already to another PE, where the element is or is known of.
std::size_t send_message_to(int pe, std::uint32_t array, Bytes index, Message& message,
                            std::int64_t priority);
/// Sends to an element of an array that this PE has not heard of yet: the call waits here until it has.
void send_before_array(std::uint32_t array, Bytes index, Message& message, std::int64_t priority);
/// Where the element is, or, if the place has no PE, that it has ended.
void send_location(int pe, std::uint32_t array, Bytes index, const Place& place);
/// Tells a PE whose call was sent on where the element is, unless it was told just now.
void tell_caller(int pe, std::uint32_t array, Bytes index, const Place& place);

}  // namespace skein::chare
