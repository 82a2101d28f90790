// SPDX-License-Identifier: Apache-2.0
// The values of the program's read-only globals. PE 0 sends them to the others once, when the function given
// to run() has returned, with the node tables (node_table.hpp). Arrays on other PEs wait for them: so a value
// may name an array.
#pragma once

#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

/// Fixes the values and sends them. On PE 0, once.
void send_read_only();
/// Returns true on PE 0 until then.
bool may_set_values();
/// Return all values, for states of the job; and fix them to packed ones, on every PE, where a program has no
/// tables.
std::vector<std::byte> packed_values();
void take_values(Bytes packed);

/// Returns true if this PE has the values, or sets them.
bool has_values();
/// Returns true if this PE has the values and the tables. Before that no array is made here, and no function
/// called.
bool has_read_only();
/// Returns has_read_only(). If false, keeps the message and receives it again when values and tables have
/// come.
bool await_read_only(Receiver receiver, int from_pe, Bytes message);

/// Returns the number of the program's values and tables.
std::size_t read_only_count();

}  // namespace skein::chare
