// SPDX-License-Identifier: Apache-2.0
// The tables of a node (skein/node_table.hpp). When the function given to run() has returned, PE 0 sends
// those that were set down a tree over the nodes, to the first PE of each, which copies or builds them; in
// the order in which they were set, so that a function that builds one may read those before. Then it tells
// the other PEs of its node where they are. Where memory is not shared each PE is a node of its own in this.
#pragma once

#include <cstddef>

namespace skein::chare {

/// On PE 0, when the values are fixed and on their way.
void send_node_tables();
/// Read-only values have come, which functions that build tables may read.
void go_on_with_tables();
/// Whether this PE has them, or sets them, or computes nothing.
bool has_node_tables();
std::size_t node_table_count();

}  // namespace skein::chare
