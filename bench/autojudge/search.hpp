// SPDX-License-Identifier: Apache-2.0
// The best that a user could have named for a trace on a platform: strategy and period, found by simulation.
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

// All strategies of the table that a trace has enough for, without `none` and the baselines.
std::vector<std::string> nameable();

// Plays that choice; fills in seconds and steps.
Choice play(const skein::trace::Trace& trace, const skein::simulate::Platform& platform, Choice choice,
            skein::simulate::NetworkEngine engine);

struct Space {
  std::vector<std::string> strategies = nameable();
  std::vector<std::uint64_t> periods{1, 2, 5, 10, 20, 50};
};

// `none` and the choices of the space, those that were played whole, the fastest first. Two halvings: each
// strategy at a short and a long period, the better third of them at all. Beginnings of the job are not taken
// for the whole: what balancing gains often begins late. What cannot win is not played: a choice whose
// decisions alone take longer than the best so far.
std::vector<Choice> search(const skein::trace::Trace& trace, const skein::simulate::Platform& platform,
                           const Space& space);

}  // namespace autojudge
