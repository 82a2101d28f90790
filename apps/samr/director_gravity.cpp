// SPDX-License-Identifier: Apache-2.0
// Gravity of a level, cycle by cycle: grids smooth, and the director corrects the rest in one place, on an
// eighth of the cells.
#include "grid.hpp"
#include "multigrid.hpp"

namespace samr {
namespace {

constexpr double tolerance =
    1e-3;  // of the mean density on level 0; on a finer level a rest has a shorter reach
constexpr int most_cycles = 100;

}  // namespace

skein::Flow Director::attract(const Turn& step) {
  if (parameters_.gravity == 0) co_return;
  Turn turn = step;
  const auto begun = skein::Future<void>::make();
  turn.number = ++turns_;
  grids_.broadcast<&Grid::attract>(turn, mean_density_, begun);
  co_await begun;

  const double enough = tolerance * parameters_.gravity * mean_density_ * std::pow(2, turn.level);
  const Box domain = hierarchy_.domain(turn.level).coarsened();
  Scalars correction;
  int cycles = 0;
  do {
    const auto relaxed = skein::Future<std::vector<Scalars>>::make();
    turn.number = ++turns_;
    grids_.broadcast<&Grid::relax>(turn, correction, relaxed);
    const std::vector<Scalars> residuals = co_await relaxed;
    if (largest(residuals) <= enough) break;
    correction = samr::correction(residuals, domain, 2 * parameters_.spacing(turn.level));
  } while (++cycles < most_cycles);
  ++solved_;
  cycles_ += cycles;
  most_cycles_ = std::max(most_cycles_, cycles);

  const auto kicked = skein::Future<double>::make();
  turn.number = ++turns_;
  turn.pulled = 0.5 * (turn.dt + last_dt_[static_cast<std::size_t>(turn.level)]);
  grids_.broadcast<&Grid::kick>(turn, mean_density_, kicked);
  pull_speed_[static_cast<std::size_t>(turn.level)] = co_await kicked;
}

skein::Flow Director::settle(int level, bool adapted) {
  if (!parameters_.has_particles()) co_return;
  const auto settled = skein::Future<void>::make();
  grids_.broadcast<&Grid::settle>(turn(level), adapted, settled);
  co_await settled;
}

}  // namespace samr
