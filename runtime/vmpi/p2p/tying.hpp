// SPDX-License-Identifier: Apache-2.0
// Ties are made and undone, and what becomes of a message in one: see tie.hpp.
#pragma once

#include "runtime/vmpi/p2p/tie.hpp"

namespace skein::vmpi {

/// Ties a send and a receive, which have just met and are complete, if all of the above is so. Callable while
/// either of their ranks runs.
void tie_if_alike(Request& send, Request& receive);

/// It was left there in vain.
void note_untied(Request& send);

/// Undoes the tie of a request, if it has one; and those of all requests of a rank.
void untie(Request& request);
void untie_all(RankState& state);

/// Parts of start_tied_send() and start_tied_receive() (start.hpp).
/// The tie has a message already: undoes the tie, and sends this one in the ordinary way.
[[gnu::cold]] void start_untied_send(Request& send, Tie& tie);
/// Copies the data from buffer to buffer, where it is not one block on both sides.
void copy_tied_pieces(const Tie& tie);
/// The send is started before its receive: its data stays in the tie.
void leave_in_tie(Request& send, Tie& tie);
/// The receive is started after its send: takes the data that was kept in the tie.
void take_from_tie(Request& receive, const Tie& tie);

/// take_copy() of a send that is tied.
void keep_data(Tie& tie);

}  // namespace skein::vmpi
