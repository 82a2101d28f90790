// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the advisor, without MPI.
#pragma once
#include <span>
#include <vector>

#include "skein/advisor.hpp"

namespace skein::advisor {

/// The seconds that a process measured, shared out among its elements by weight; evenly if none has weight.
std::vector<double> couple(std::span<const AdvisorElement> elements, double seconds);

/// modelled[p], measured[p]: sum of weights and seconds of process p.
ModelQuality quality(std::span<const double> modelled, std::span<const double> measured);

}  // namespace skein::advisor
