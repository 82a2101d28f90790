// SPDX-License-Identifier: Apache-2.0
// Long messages of data with gaps, between PEs that share memory: the sender's PE packs while the receiver's
// already unpacks. So each goes through the gaps of its own rank's memory only, and both at the same time.
#pragma once

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// Packed data of a send, in its rank's slot: behind this in memory.
struct Packing;

/// Whether a send to a rank on that PE is to be packed for it.
bool is_packed_for(int pe, const Request& send);
/// Gives the send room for it, which the receiver's PE may look for as soon as it knows of the send. Of sends
/// that are packed.
void begin_packing(Request& send);
/// Packs; whoever waits for it on another PE gets on with every piece. Never switches.
void pack_for_receiver(Request& send);
/// On the receiver's PE, which shares the slot: puts what is packed, or being packed, into the receive's
/// buffer. Waits for the sender's PE, which is at it. Null-safe: false when the send is not packed.
bool unpack_from_sender(const Request& send, Request& receive);
/// Before a send is complete, on its PE: gives the room back. Does nothing with sends that are not packed.
void end_packing(Request& send);

}  // namespace skein::vmpi
