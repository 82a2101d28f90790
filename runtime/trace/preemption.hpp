// SPDX-License-Identifier: Apache-2.0
// Bursts are told by the clock, which is what reading one costs least for. They are processor time as long as
// nobody else uses the cores; else a recording is of little worth, and that is said.
#pragma once

namespace skein::trace {

/// For how long the calling thread has had a processor, s.
double processor_seconds();

/// Warns, on PE 0, where the objects of the job computed by the clock for clearly longer than their PEs had
/// the processor, whatever they did with it: `busy_s` and `processor_s` are those of this PE since the
/// recording began. Collective.
void tell_preemption(double busy_s, double processor_s);

}  // namespace skein::trace
