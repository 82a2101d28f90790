// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the advisor, without MPI.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/advisor.hpp"
#include "skein/lb/late.hpp"

namespace skein::advisor {

/// The seconds that a process measured, shared out among its elements by weight; evenly if none has weight.
std::vector<double> couple(std::span<const AdvisorElement> elements, double seconds);

/// modelled[p], measured[p]: sum of weights and seconds of process p.
ModelQuality quality(std::span<const double> modelled, std::span<const double> measured);

/// The advice to stay, of such processes.
Advice staying(std::span<const double> modelled, std::span<const double> measured);
/// The advice with the places of the elements from `first` to before `end`.
Advice with_places(Advice advice, const lb::Assignment& pe_of, std::size_t first, std::size_t end);

/// What becomes of what was decided, once steps have passed. `now`: staying(); `moves`: whether what is left
/// of the decision moves anything.
Advice late_advice(Advice now, const Advice& decided, const lb::LateDrift& drift, bool dropped, bool moves);
/// Loads of so many steps become those of as many others.
void scale_loads(std::vector<double>& loads, std::uint64_t steps_then, std::uint64_t steps_now);

}  // namespace skein::advisor
