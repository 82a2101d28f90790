// SPDX-License-Identifier: Apache-2.0
#include "lb/tune/sureness.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "skein/lb/tune.hpp"

using namespace skein::tune;

TEST_CASE("sureness: intervals of means") {
  // Mean 5, standard deviation 1 of 4 values: 3.182 * 1 / 2.
  const std::vector<double> values = {4, 4.5, 5.5, 6};
  const Mean mean = mean_of(values);
  CHECK(mean.value == doctest::Approx(5));
  CHECK(mean.half_width == doctest::Approx(3.182 * 0.912871 / 2).epsilon(1e-5));
  CHECK(mean_of(std::vector<double>{3}).half_width == 0);
  CHECK(half_width_95(2, 2) == doctest::Approx(12.706 * 2 / 1.414214).epsilon(1e-5));
  // Tables have 2.021 for 40 degrees of freedom, 1.984 for 100.
  CHECK(half_width_95(1, 41) * 6.403124 == doctest::Approx(2.021).epsilon(1e-3));
  CHECK(half_width_95(1, 101) * 10.049876 == doctest::Approx(1.984).epsilon(1e-3));
}

TEST_CASE("sureness: differences of the same samples are surer than means") {
  const std::vector<double> quick = {10, 20, 30}, slow = {11, 21.1, 30.9};
  CHECK(mean_of(quick).half_width > 20);  // the intervals of the means overlap
  CHECK_FALSE(can_be_equal(quick, slow));
  CHECK(can_be_equal(quick, std::vector<double>{9, 21, 30.5}));
  CHECK(can_be_equal(quick, quick));
  CHECK_FALSE(can_be_equal(std::vector<double>{1}, std::vector<double>{1.1}));
}
