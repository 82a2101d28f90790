// SPDX-License-Identifier: Apache-2.0
// What the resource model is told of a simulated run: what a report of a real one (--lb-report) has.
#pragma once
#include "bench/lazy/resources.hpp"
#include "skein/lb/simulate.hpp"

#include "skein/lb/trace.hpp"

namespace bench_lazy {

// What each object computed in the trace, seconds.
std::vector<double> loads_in(const skein::trace::Trace& trace);

struct Learned {
  ResourceSamples samples;
  ResourceQuestion question;
};

// Of an inline run with at least one LB step. `loads`: of its objects, in any unit.
Learned learn(const skein::simulate::Timeline& run, std::vector<double> loads);

}  // namespace bench_lazy
