// SPDX-License-Identifier: Apache-2.0
// Algorithm 3 of Pearce et al., ICS 2012: the application is played step by step under every choice, in
// virtual time. A step takes as long as its slowest PE. Deciding takes the processor time that it takes on
// this machine when nothing disturbs it, measured once for a mesh and number of PEs: so all cases there are
// played by the same rules, however busy the machine is. Messages and moves cost what the functions of
// skein/lb/cost.hpp say, by which the model predicts: see lbscenarios.cpp for what that leaves unjudged.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "bench/lbscenarios/world.hpp"
#include "skein/lb/strategy.hpp"

namespace lbscenarios {

// Processor time of this process. Others disturb it all the same: they share caches and memory.
double seconds();

// Of each strategy the least time of several decisions.
std::vector<double> decision_seconds(std::span<const skein::lb::Selection> strategies,
                                     const skein::lb::Snapshot& snapshot);

// A choice and its virtual time after each horizon.
struct Played {
  std::string name;
  double decision_s = 0;  // of a global strategy
  std::vector<double> total_s;
};

// Plays `none`, the same with stepwise diffusion, and each global strategy, which decides on what was
// measured before step 0, in `decisions_s`. Horizons are numbers of steps, rising.
std::vector<Played> play(const World& world, const skein::lb::Snapshot& measured,
                         std::span<const skein::lb::Selection> globals, std::span<const double> decisions_s,
                         std::span<const int> horizons);

}  // namespace lbscenarios
