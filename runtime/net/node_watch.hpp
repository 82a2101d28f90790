// SPDX-License-Identifier: Apache-2.0
// Notices a node that has gone: switched off, or its network down. The MPI underneath would go on sending for
// a quarter of an hour.
//
// The kernel does the watching. PE 0 has a connection to every PE of other nodes, on which only TCP's
// keep-alive probes travel, every few seconds; when they stay unanswered the kernel sends a signal. So a PE
// that computes for hours, or is stopped by a debugger, is not taken for lost, watching takes no time of the
// PEs, and both sides of a cut notice it. A process that ends, however, closes its connection: that is the
// launcher's to report. But `skein run` is told of it by PE 0, as of a node that is lost (starter_link.hpp).
#pragma once

namespace skein::net {

/// How long a node may be silent.
inline constexpr int kSilenceSeconds = 15;

/// Collective over all PEs, once. With one node nothing happens.
void start_node_watch();
/// Collective (no PE may have closed anything before all have stopped watching): call stop on every PE, then
/// a barrier, then close.
void stop_node_watch();
void close_node_watch();

/// Before a PE ends of its own will: what PE 0 is to tell `skein run` of it where it cannot do so itself.
/// Async-signal-safe.
void leave_by_link();

/// Called in every poll. Once a node is lost, which the signal's handler has reported by name, it does not
/// return: what the ranks of this PE have printed is flushed, and the launcher has 15 seconds to end the job
/// before the PE ends itself with status 1. A PE on which a rank computes, so that no poll comes, ends then
/// too.
void check_nodes();

}  // namespace skein::net
