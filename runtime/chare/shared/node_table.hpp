// SPDX-License-Identifier: Apache-2.0
// The tables of a node (skein/node_table.hpp). When the function given to run() has returned, PE 0 sends the
// tables that were set down a tree over the nodes, to the first PE of each, which copies or builds them in
// the order in which they were set, so that a function that builds one may read earlier ones. Then that PE
// tells the others of its node the places. Where memory is not shared each PE counts as a node here.
#pragma once

#include <cstddef>

namespace skein::chare {

/// Sends the tables. On PE 0, when the values are fixed and on their way.
void send_node_tables();
/// Continues with the tables when the read-only values, which building may read, have arrived.
void go_on_with_tables();
/// Returns true if this PE has the tables, or sets them, or computes nothing.
bool has_node_tables();
std::size_t node_table_count();

}  // namespace skein::chare
