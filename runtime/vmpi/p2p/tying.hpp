// SPDX-License-Identifier: Apache-2.0
// Making and undoing ties, and moving messages through them: see tie.hpp.
#pragma once

#include "runtime/vmpi/p2p/tie.hpp"

namespace skein::vmpi {

/// Ties a send and a receive, which have just met and are complete, if the conditions of tie.hpp hold.
/// Callable while either of their ranks runs.
void tie_if_alike(Request& send, Request& receive);

/// Counts that the data of a send was left for its receive in vain.
void note_untied(Request& send);

/// Undo the tie of a request, if it has one, and the ties of all requests of a rank.
void untie(Request& request);
void untie_all(RankState& state);

/// Sends the message of a tied send whose tie still keeps an earlier message: undoes the tie, and sends by
/// the queues. This and the next three are parts of start_tied_send() and start_tied_receive() (start.hpp).
[[gnu::cold]] void start_untied_send(Request& send, Tie& tie);
/// Copies the data of a tied send that is not contiguous on both sides.
void copy_tied_pieces(const Tie& tie);
/// Keeps the data of a send that starts before its receive in the tie, if it is short.
void leave_in_tie(Request& send, Tie& tie);
/// Gives a receive that starts after its send the data that the tie has kept.
void take_from_tie(Request& receive, const Tie& tie);

/// Completes a tied send, for take_copy(): copies its data into the tie.
void keep_data(Tie& tie);

}  // namespace skein::vmpi
