// SPDX-License-Identifier: Apache-2.0
// Long messages of data with gaps, between PEs that share memory: the sender's PE packs while the receiver's
// PE unpacks. So each PE goes through the gaps of its own rank's memory only, and both work at the same time.
#pragma once

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// The packed data of a send, in its rank's slot; the bytes follow this header.
struct Packing;

/// Returns true if a send to a rank on PE `pe` is to be packed for it.
bool is_packed_for(int pe, const Request& send);
/// Gives a send that is_packed_for() its PE room for the packed data. The receiver's PE may look there as
/// soon as it knows of the send.
void begin_packing(Request& send);
/// Packs the data; a receiver that waits on another PE goes on with each piece. Never switches.
void pack_for_receiver(Request& send);
/// Unpacks a send's data into the receive's buffer, waiting for the sender's PE, which is packing it. Called
/// on the receiver's PE, which shares the slot. Returns false if the send is not packed.
bool unpack_from_sender(const Request& send, Request& receive);
/// Gives the room for packed data back before a send is complete, on the send's PE. Does nothing with sends
/// that are not packed.
void end_packing(Request& send);

}  // namespace skein::vmpi
