// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the advisor, without MPI.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/advisor.hpp"
#include "skein/lb/late.hpp"

namespace skein::advisor {

/// Divides the seconds that a process measured among its elements by weight; evenly if none has weight.
std::vector<double> couple(std::span<const AdvisorElement> elements, double seconds);

/// Compares the model with the measurement. modelled[p], measured[p]: sum of weights and seconds of process
/// p.
ModelQuality quality(std::span<const double> modelled, std::span<const double> measured);

/// Returns the advice to stay, for these processes.
Advice staying(std::span<const double> modelled, std::span<const double> measured);
/// Returns the advice with the places of the elements in [first, end).
Advice with_places(Advice advice, const lb::Assignment& pe_of, std::size_t first, std::size_t end);

/// Returns the advice from a decision that is some steps old. `now`: staying(); `moves`: what is left of the
/// decision moves something.
Advice late_advice(Advice now, const Advice& decided, const lb::LateDrift& drift, bool dropped, bool moves);
/// Scales loads of `steps_then` steps to `steps_now` steps.
void scale_loads(std::vector<double>& loads, std::uint64_t steps_then, std::uint64_t steps_now);

}  // namespace skein::advisor
