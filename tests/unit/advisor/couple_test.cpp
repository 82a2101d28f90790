// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/couple.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace skein;

TEST_CASE("advisor: what a process measured is shared out by weight") {
  const std::vector<AdvisorElement> elements{{1, 3, 0}, {2, 1, 0}, {3, 0, 0}};
  CHECK(advisor::couple(elements, 8) == std::vector<double>{6, 2, 0});
  const std::vector<AdvisorElement> weightless{{1, 0, 0}, {2, 0, 0}};
  CHECK(advisor::couple(weightless, 8) == std::vector<double>{4, 4});
  CHECK(advisor::couple({}, 8).empty());
}

TEST_CASE("advisor: a model in another unit is perfect, a flat one knows nothing") {
  // Relative loads 1/2, 1, 3/2: imbalance 50 %, deviation sqrt((1/4 + 0 + 1/4) / 3), no skewness, kurtosis
  // (2 / 16 / 3) / (1 / 6)^2 - 3 = 1.5 - 3.
  const std::vector<double> measured{1, 2, 3}, scaled{100, 200, 300}, flat{5, 5, 5};
  const ModelQuality good = advisor::quality(scaled, measured);
  CHECK(good.rank_correlation == doctest::Approx(1));
  CHECK(good.rmse == doctest::Approx(0));
  CHECK(good.measured.imbalance_percent == doctest::Approx(50));
  CHECK(good.measured.standard_deviation == doctest::Approx(std::sqrt(1.0 / 6)));
  CHECK(good.measured.skewness == doctest::Approx(0));
  CHECK(good.measured.kurtosis == doctest::Approx(-1.5));
  const ModelQuality bad = advisor::quality(flat, measured);
  CHECK(bad.rank_correlation == doctest::Approx(0));
  CHECK(bad.modelled.imbalance_percent == doctest::Approx(0));
  CHECK(bad.rmse == doctest::Approx(std::sqrt(1.0 / 6)));
}
