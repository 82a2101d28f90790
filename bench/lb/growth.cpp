// SPDX-License-Identifier: Apache-2.0
#include "bench/lb/growth.hpp"

#include <cmath>
#include <vector>

#include "bench/lb/measure.hpp"
#include "bench/lb/snapshots.hpp"

namespace bench {
namespace {

// Returns the exponents of cost(size).
template <class Cost>
Growth fit(Cost cost) {
  std::vector<Point> objects, pes;
  for (std::size_t n = 16'384; n <= 262'144; n *= 2)
    objects.push_back({static_cast<double>(n), cost(Size{n, 512})});
  for (std::size_t p = 64; p <= 4'096; p *= 4) pes.push_back({static_cast<double>(p), cost(Size{65'536, p})});
  return {fitted_exponent(objects), fitted_exponent(pes)};
}

}  // namespace

double fitted_exponent(std::span<const Point> points) {
  double mean_x = 0, mean_y = 0;
  for (const Point& point : points) {
    mean_x += std::log(point.x) / static_cast<double>(points.size());
    mean_y += std::log(point.y) / static_cast<double>(points.size());
  }
  double products = 0, squares = 0;
  for (const Point& point : points) {
    const double x = std::log(point.x) - mean_x;
    products += x * (std::log(point.y) - mean_y);
    squares += x * x;
  }
  return products / squares;
}

Growth measure_growth(const skein::lb::Selection& selection, int repeats) {
  return fit(
      [&](Size size) { return measure(selection, make_snapshot(size, needs_board(selection)), repeats).ms; });
}

Growth n_log_n() {
  const auto grown = [](std::size_t count) {
    return static_cast<double>(count) * std::log(static_cast<double>(count));
  };
  return {fit([&](Size size) { return grown(size.objects); }).with_objects,
          fit([&](Size size) { return grown(size.pes); }).with_pes};
}

}  // namespace bench
