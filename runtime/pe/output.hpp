// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace skein::pe {

/// Prints what was counted of `events`, those of --papi, over the whole run: one line for each, with the sum
/// and the ranks that have least and most. On PE 0. Collective, when all ranks have ended.
void print_counted_events(std::span<const std::string> events);

/// Gives all PEs of a node the standard streams of its first PE. Launchers give each process a pipe of its
/// own and merge what arrives in any order, so without this the lines of a rank that moves would change
/// places, and rank 0 would lose its input. Lines of different nodes can still change places. Collective over
/// all PEs, once the descriptor channel is open; does nothing where that cannot pass descriptors.
void share_standard_streams();

}  // namespace skein::pe
