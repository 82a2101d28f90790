// SPDX-License-Identifier: Apache-2.0
// Messages that arrive before what they need: an array, of which each PE hears at its own time, or the
// read-only values.
#pragma once

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

/// Returns true if the array is here; else keeps the message and receives it again when the array is.
bool await_array(Receiver receiver, int from_pe, std::uint32_t array, Bytes message);
/// Returns true if the array is here; else keeps the message with its blocks, and receives it again when the
/// array is.
bool await_array(BlockReceiver receiver, int from_pe, std::uint32_t array, Bytes message,
                 pup::Blocks&& blocks);
/// Receives the message when the array is here, or, with kNoArray, the read-only values.
void receive_later(Receiver receiver, int from_pe, std::uint32_t array, Bytes message);

/// Receives again the messages that waited for the array, or, with kNoArray, for the read-only values.
void receive_early(std::uint32_t array);

}  // namespace skein::chare
