// SPDX-License-Identifier: Apache-2.0
// What a job with made-up loads takes in a simulation without messages: each point as long as its fullest PE.
#pragma once
#include <cstdint>

#include "bench/autojudge/loads.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"

namespace autojudge {

struct Played {
  double seconds = 0;
  std::size_t steps = 0;
  std::uint64_t moved = 0;
};
Played play(const Job& job, const skein::simulate::Platform& platform, const skein::simulate::Policy& policy);

}  // namespace autojudge
