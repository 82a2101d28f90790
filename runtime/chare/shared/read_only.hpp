// SPDX-License-Identifier: Apache-2.0
// The values of the program's read-only globals go from PE 0 to the others once, when the function given to
// run() has returned; so do the node tables (node_table.hpp). There arrays wait for them: so a value may
// name an array.
#pragma once

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

/// On PE 0, once: from now on the values are fixed, and on their way.
void send_read_only();
/// On PE 0, before that.
bool may_set_values();
/// All values, for states of the job; and on every PE, where no tables are: from now on they are those.
std::vector<std::byte> packed_values();
void take_values(Bytes packed);

/// Whether this PE has the values, or sets them.
bool has_values();
/// Whether it has the tables, too. Before that no array is made here, and no function called.
bool has_read_only();
/// Whether it is so; if not, the message is received again when it is.
bool await_read_only(Receiver receiver, int from_pe, Bytes message);

/// How many values and tables the program has.
std::size_t read_only_count();

}  // namespace skein::chare
