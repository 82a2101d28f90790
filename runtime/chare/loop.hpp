// SPDX-License-Identifier: Apache-2.0
// The loop of a PE: takes calls from the queue, polls the transport, and looks for the end when there is
// nothing to do.
#pragma once

#include <functional>

namespace skein::chare {

/// Runs until the job ends. Returns its exit status. `at_step`: called in each LB step at a sync point, when
/// elements have moved and before they go on.
int run_pe(const std::function<void()>& at_step);

/// Nobody wants to know in this job what each element takes: a wait of a quarter of a microsecond counts as
/// time of the call that ends it, and the clock is not read for it. Before run_pe().
void ignore_short_waits();

/// From here on log lines and failed checks name the PE, and a fault ends the job naming the element and the
/// entry method that ran. On the PE's thread.
void watch_for_failures();
/// Faults are the program's own again: for processes that go on.
void stop_watching_for_failures();

}  // namespace skein::chare
