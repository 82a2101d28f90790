// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/relative_fit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace skein::lb {
namespace {

using Columns = std::vector<std::vector<double>>;

/// A column is dependent if its part outside of the others is relatively below this.
constexpr double kDependent = 1e-9;
/// Sums of squared relative errors that differ by less than this, for each sample, count as equal: no time is
/// measured to a millionth. That is far more than rounding makes of equally good sums, such as any two
/// columns if all samples are alike.
constexpr double kEqual = 1e-12;

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

struct Solution {
  std::vector<double> factors;
  double squares;  // of relative errors
};

/// Solves by modified Gram-Schmidt. `q`: columns divided by the measured values. Returns no solution if a
/// column depends on others or a factor is not above zero.
std::optional<Solution> solve(Columns q) {
  const std::size_t count = q.size(), rows = q.front().size();
  if (count > rows) return std::nullopt;
  std::vector<double> left(rows, 1), in_q(count);
  Columns r(count, std::vector<double>(count, 0));
  for (std::size_t k = 0; k < count; ++k) {
    const double whole = std::sqrt(dot(q[k], q[k]));
    for (std::size_t j = 0; j < k; ++j) {
      r[j][k] = dot(q[j], q[k]);
      for (std::size_t i = 0; i < rows; ++i) q[k][i] -= r[j][k] * q[j][i];
    }
    r[k][k] = std::sqrt(dot(q[k], q[k]));
    if (!(r[k][k] > kDependent * whole)) return std::nullopt;
    for (double& each : q[k]) each /= r[k][k];
    in_q[k] = dot(q[k], left);
    for (std::size_t i = 0; i < rows; ++i) left[i] -= in_q[k] * q[k][i];
  }
  Solution solution{std::vector<double>(count), dot(left, left)};
  for (std::size_t k = count; k-- > 0;) {
    double sum = in_q[k];
    for (std::size_t j = k + 1; j < count; ++j) sum -= r[k][j] * solution.factors[j];
    solution.factors[k] = sum / r[k][k];
    if (!(solution.factors[k] > 0)) return std::nullopt;
  }
  return solution;
}

}  // namespace

std::vector<double> fit_relative(const std::vector<std::vector<double>>& columns,
                                 std::span<const double> measured) {
  std::vector<double> best(columns.size(), 0);
  if (measured.empty()) return best;
  Columns parts = columns;
  for (std::vector<double>& column : parts)
    for (std::size_t i = 0; i < column.size(); ++i) column[i] /= measured[i];
  // Sets of columns as bits.
  std::vector<unsigned> sets((std::size_t{1} << columns.size()) - 1);
  for (unsigned set = 0; set < sets.size(); ++set) sets[set] = set + 1;
  std::ranges::stable_sort(sets, {}, [](unsigned set) { return std::popcount(set); });
  double squares = std::numeric_limits<double>::infinity();
  for (const unsigned set : sets) {
    std::vector<std::size_t> chosen;
    Columns q;
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (set >> k & 1) chosen.push_back(k), q.push_back(parts[k]);
    const std::optional<Solution> found = solve(std::move(q));
    if (!found || !(found->squares < squares - kEqual * static_cast<double>(measured.size()))) continue;
    squares = found->squares;
    std::ranges::fill(best, 0);
    for (std::size_t k = 0; k < chosen.size(); ++k) best[chosen[k]] = found->factors[k];
  }
  return best;
}

}  // namespace skein::lb
