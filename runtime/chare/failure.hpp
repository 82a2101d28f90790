// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::chare {

/// From here on log lines and failed checks name the PE, and a fault ends the job naming the element and the
/// entry method that ran. On the PE's thread.
void watch_for_failures();
/// Faults are the program's own again: for processes that go on.
void stop_watching_for_failures();

}  // namespace skein::chare
