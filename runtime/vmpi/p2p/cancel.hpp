// SPDX-License-Identifier: Apache-2.0
// Calling sends back. The sender asks the receiver's PE to forget the message, and waits for the answer: so a
// send that is cancelled has been received nowhere, even if it had left already. No rank moves meanwhile,
// since the sender is at no sync point.
#pragma once

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// From a rank: calls the message of an active send, not a buffered one, back. Where no receive has taken it,
/// the send is cancelled and complete; otherwise it goes on as it was. May switch.
void cancel_send(Request& send);

}  // namespace skein::vmpi
