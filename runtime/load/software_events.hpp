// SPDX-License-Identifier: Apache-2.0
// The kernel's software events (page faults, task clock, ...) under PAPI's names for them, perf::PAGE-FAULTS
// and so on, counted without PAPI: a PAPI whose tables lack the processor offers no event of the kernel at
// all, not even these, which every Linux has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein::load {

/// Returns all names, whether or not the system lets this process count them.
std::vector<std::string> software_event_names();

/// Starts counting on the calling thread, user space and kernel. Returns a descriptor for
/// read_software_event(), or -1 with errno when the name is none of these or the system refuses.
int open_software_event(std::string_view name);

/// Returns the count so far; nanoseconds for the clocks.
std::int64_t read_software_event(int descriptor);

}  // namespace skein::load
