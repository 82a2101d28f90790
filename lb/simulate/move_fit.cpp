// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/move_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace skein::simulate {
namespace {

constexpr std::size_t kinds = 3;
/// A pivot that is smaller, in parts of what was there, is rounding.
constexpr double rounding = 1e-10;

using Row = std::array<double, kinds + 1>;

/// By elimination; unused kinds cost nothing. Nothing where they cannot be told apart.
std::optional<std::array<double, kinds>> solve(std::array<Row, kinds> rows) {
  for (std::size_t k = 0; k < kinds; ++k) {
    const double before = rows[k][k];
    for (std::size_t j = 0; j < k; ++j) {
      const double factor = rows[k][j] / rows[j][j];
      for (std::size_t c = j; c <= kinds; ++c) rows[k][c] -= factor * rows[j][c];
    }
    if (rows[k][k] <= rounding * before) return std::nullopt;
  }
  std::array<double, kinds> result{};
  for (std::size_t k = kinds; k-- > 0;) {
    double rest = rows[k][kinds];
    for (std::size_t c = k + 1; c < kinds; ++c) rest -= rows[k][c] * result[c];
    result[k] = rest / rows[k][k];
  }
  return result;
}

/// Normal equations of the kinds in the set, each time weighted by 1 / ns^2; of others that they cost
/// nothing.
std::array<Row, kinds> equations(std::span<const MovesTime> times, unsigned set) {
  std::array<Row, kinds> rows{};
  for (std::size_t i = 0; i < kinds; ++i) {
    if (!(set >> i & 1)) {
      rows[i][i] = 1;
      continue;
    }
    for (const MovesTime& time : times) {
      const double weight = 1 / (time.ns * time.ns);
      for (std::size_t j = 0; j < kinds; ++j)
        if (set >> j & 1) rows[i][j] += weight * time.amounts[i] * time.amounts[j];
      rows[i][kinds] += weight * time.amounts[i] * time.ns;
    }
  }
  return rows;
}

}  // namespace

MovesFit fit_moves(std::span<const MovesTime> times) {
  MovesFit best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < 1u << kinds; ++set) {
    const auto costs = solve(equations(times, set));
    if (!costs || std::ranges::any_of(*costs, [](double cost) { return cost < 0; })) continue;
    double squares = 0, worst = 0;
    for (const MovesTime& time : times) {
      double ns = 0;
      for (std::size_t k = 0; k < kinds; ++k) ns += (*costs)[k] * time.amounts[k];
      const double error = ns / time.ns - 1;
      squares += error * error;
      worst = std::max(worst, std::abs(error));
    }
    // Among equals, as all that fit are, the one of fewer kinds.
    if (squares < least - rounding) {
      least = squares;
      best = {*costs, worst};
    }
  }
  return best;
}

}  // namespace skein::simulate
