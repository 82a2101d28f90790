// SPDX-License-Identifier: Apache-2.0
// Finds jobs that can make no progress: every rank blocked, no message under way. PE 0, after some time
// without anything to do, asks all PEs what they have sent, received and run; when two rounds of answers are
// the same, and not all PEs can meet, every PE prints what its ranks wait for, and the job ends.
//
// A rank that computes, or waits in a system call, keeps its PE from answering, so it is never taken for
// blocked. A PE with a rank that sleeps (sleep_for()) says so in its answer.
#pragma once

namespace skein::pe {

/// Registers handlers. On every PE, once, before messages flow. PE 0 asks after `after_seconds` without
/// anything to do; the verdict is right however short that is.
void start_deadlock_watch(double after_seconds);

/// Asks, when it is time to; set as Upcalls::idle.
void watch_for_deadlock();

}  // namespace skein::pe
