// SPDX-License-Identifier: Apache-2.0
// Messages that came before what they need: an array, which each PE hears of at its own time, or the
// read-only values.
#pragma once

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

/// Whether the array is there; if not, the message is received again when it is.
bool await_array(Receiver receiver, int from_pe, std::uint32_t array, Bytes message);
/// Does the same for a message with blocks, which are taken only if the array is not there.
bool await_array(BlockReceiver receiver, int from_pe, std::uint32_t array, Bytes message,
                 pup::Blocks&& blocks);
/// Receives the message when the array is there, or, of no_array, the read-only values.
void receive_later(Receiver receiver, int from_pe, std::uint32_t array, Bytes message);

/// Receives again what came before the array, or, of no_array, before the read-only values.
void receive_early(std::uint32_t array);

}  // namespace skein::chare
