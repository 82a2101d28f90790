// SPDX-License-Identifier: Apache-2.0
// The loop of a PE: takes calls from the queue, polls the transport, and looks for the end when there is
// nothing to do.
#pragma once

#include <functional>
#include <optional>

namespace skein::chare {

/// Runs until the job ends. Returns its exit status. `at_step` is called in each LB step at a sync point,
/// when elements have moved and before they continue. If it returns false, on all PEs, the job is to continue
/// in other processes: then nothing more runs, and run_pe() returns nothing.
std::optional<int> run_pe(const std::function<bool()>& at_step);

/// Lets a wait of a quarter of a microsecond count as time of the call that ends it, without reading the
/// clock: for jobs that do not need the time of each element. Before run_pe().
void ignore_short_waits();

/// Makes log lines and failed checks name the PE, and faults end the job naming the element and the entry
/// method that ran. On the PE's thread.
void watch_for_failures();
/// Leaves faults to the program again: for processes that continue after the job.
void stop_watching_for_failures();

}  // namespace skein::chare
