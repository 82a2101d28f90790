// SPDX-License-Identifier: Apache-2.0
// What the resource model is told of a simulated run: the same as `--lb-mode auto` takes from a report.
#pragma once
#include "skein/lb/resources.hpp"
#include "skein/lb/simulate.hpp"

namespace bench_lazy {

struct Learned {
  skein::lb::ResourceSamples samples;
  skein::lb::ResourceQuestion question;
};

// Of an inline run with at least one LB step, on so many PEs, with a step at every `period`-th sync point.
Learned learn(const skein::simulate::Timeline& run, std::uint64_t period);

}  // namespace bench_lazy
