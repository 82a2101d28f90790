// SPDX-License-Identifier: Apache-2.0
// Makes the resource model's input from a simulated run, with the values that a report of a real run
// (--lb-report) has.
#pragma once
#include "bench/lazy/resources.hpp"
#include "skein/lb/simulate.hpp"

#include "skein/lb/trace.hpp"

namespace bench_lazy {

// Returns the computing time of each object in the trace, seconds.
std::vector<double> loads_in(const skein::trace::Trace& trace);

struct Learned {
  ResourceSamples samples;
  ResourceQuestion question;
};

// Learns from an inline run with at least one LB step. `loads`: of its objects, in any unit.
Learned learn(const skein::simulate::Timeline& run, std::vector<double> loads);

}  // namespace bench_lazy
