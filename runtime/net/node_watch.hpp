// SPDX-License-Identifier: Apache-2.0
// Notices that a node is lost: switched off, or its network down. The MPI underneath would go on sending for
// a quarter of an hour.
//
// The kernel does the watching. PE 0 has a connection to every PE of other nodes, on which only TCP's
// keep-alive probes travel, every few seconds; when they stay unanswered the kernel sends a signal. So a PE
// that computes for hours, or is stopped by a debugger, is not taken for lost, watching takes no time of the
// PEs, and both sides of a cut notice it. When a process ends, its connection closes: the launcher reports
// that. PE 0 tells `skein run` of it, too, as it does of a lost node (starter_link.hpp).
#pragma once

namespace skein::net {

/// Seconds that a node may be silent.
inline constexpr int kSilenceSeconds = 15;

/// Starts to watch. Collective over all PEs, once. Does nothing with one node.
void start_node_watch();
/// Stops watching. Collective: no PE may close anything before all have stopped, so call stop on every PE,
/// then a barrier, then close.
void stop_node_watch();
void close_node_watch();

/// Sends PE 0 the last word of a PE that ends of its own will and cannot reach `skein run` itself; PE 0
/// passes it on. Async-signal-safe.
void leave_by_link();

/// Ends this PE if a node is lost; called in every poll. The signal's handler has reported the node by name.
/// Then this function does not return: it flushes what the ranks of this PE have printed, and gives the
/// launcher 15 seconds to end the job before the PE ends itself with status 1. A PE on which a rank computes,
/// so that no poll comes, ends then too.
void check_nodes();

}  // namespace skein::net
