// SPDX-License-Identifier: Apache-2.0
// Calls for elements on other PEs, and notices of where elements are.
#pragma once

#include "skein/chare/array_base.hpp"

namespace skein::chare {

void send_call(int pe, std::uint32_t array, Bytes index, PackedCall&& call);
/// Sends a message to an element that is not here; the message is used up. Returns the number of bytes that
/// its arguments were packed into.
std::size_t send_message(ArrayBase& array, Bytes index, Message& message, std::int64_t priority,
                         std::uint16_t hops = 0);
/// Sends a message to another PE, where the element is or is known.
std::size_t send_message_to(int pe, std::uint32_t array, Bytes index, Message& message,
                            std::int64_t priority);
/// Keeps a call for an element of an array that this PE has not heard of yet, and sends it when it has.
void send_before_array(std::uint32_t array, Bytes index, Message& message, std::int64_t priority);
/// Tells PE `pe` where the element is, or, if `place` has no PE, that it has ended.
void send_location(int pe, std::uint32_t array, Bytes index, const Place& place);
/// Tells a PE whose call was passed on where the element is, unless it was told just now.
void tell_caller(int pe, std::uint32_t array, Bytes index, const Place& place);

}  // namespace skein::chare
