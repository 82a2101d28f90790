// SPDX-License-Identifier: Apache-2.0
// What moves cost, from what steps with moves took longer than steps without.
#pragma once
#include <array>
#include <span>

namespace skein::simulate {

/// A step in which moves took `ns`: amounts of what each costs (the step itself, objects, bytes).
struct MovesTime {
  std::array<double, 3> amounts;
  double ns;  // above 0
};

struct MovesFit {
  std::array<double, 3> costs{};  // of one of each, none below zero
  double residual = 0;            // the largest relative error
};

/// By least squares of relative errors. Where no costs of all three can be told from the times, those of
/// fewer.
MovesFit fit_moves(std::span<const MovesTime> times);

}  // namespace skein::simulate
