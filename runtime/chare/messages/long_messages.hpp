// SPDX-License-Identifier: Apache-2.0
// Messages to other PEs that are too long for an active message, or that come with blocks (wire.hpp). One
// active message announces each. Inside a node it names places in shared blocks (shared_blocks.hpp), and all
// is there. Else, or where there is no room for them, what does not go with it goes in bulk.
#pragma once

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

/// Before the first message, on every PE. `receive` is called inside a poll.
void start_long_messages(void (*receive)(Kind kind, int from_pe, Bytes message, pup::Blocks&& blocks));

void post_long(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks);

}  // namespace skein::chare
