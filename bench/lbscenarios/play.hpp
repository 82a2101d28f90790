// SPDX-License-Identifier: Apache-2.0
// Algorithm 3 of Pearce et al., ICS 2012: the application is played step by step under every choice, in
// virtual time. A step takes as long as its slowest PE. Deciding takes the processor time that it really
// takes on this machine.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "bench/lbscenarios/world.hpp"
#include "skein/lb/strategy.hpp"

namespace lbscenarios {

// Processor time of this process, which other processes do not disturb much.
double seconds();

// A choice and its virtual time after each horizon.
struct Played {
  std::string name;
  double decision_s = 0;  // of a global strategy
  std::vector<double> total_s;
};

// Plays `none`, the same with stepwise diffusion, and each global strategy, which decides on what was
// measured before step 0. Horizons are numbers of steps, rising.
std::vector<Played> play(const World& world, const skein::lb::Snapshot& measured,
                         std::span<const skein::lb::Selection> globals, std::span<const int> horizons);

}  // namespace lbscenarios
