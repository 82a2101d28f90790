// SPDX-License-Identifier: Apache-2.0
// Finds, by simulation, the best strategy and period that a user could have named for a trace on a platform.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace autojudge {

struct Choice {
  std::string strategy = "none";
  std::uint64_t period = 1;  // sync points; 0: automatic
  double seconds = 0;        // makespan
  std::size_t steps = 0;

  std::string name() const;
};

// Returns all strategies of the table for which a trace has enough data, without `none` and the baselines.
std::vector<std::string> nameable();

// Plays that choice; fills in seconds and steps.
Choice play(const skein::trace::Trace& trace, const skein::simulate::Platform& platform, Choice choice,
            skein::simulate::NetworkEngine engine);

struct Space {
  std::vector<std::string> strategies = nameable();
  std::vector<std::uint64_t> periods{1, 2, 5, 10, 20, 50};
};

// Returns `none` and the choices of the space that were played whole, the fastest first. It halves twice:
// each strategy at a short and a long period, then the better third of them at all periods. It plays whole
// jobs, because the gain of balancing often begins late. A choice that cannot win is not played: its
// decisions alone take longer than the best choice so far.
std::vector<Choice> search(const skein::trace::Trace& trace, const skein::simulate::Platform& platform,
                           const Space& space);

}  // namespace autojudge
