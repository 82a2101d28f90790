// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/expected_largest.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

using namespace skein::lb;
using doctest::Approx;

TEST_CASE("expected largest: without errors it is the largest time") {
  CHECK(expected_largest(std::vector<double>{3, 5, 4}, 0) == 5);
}

// The expected largest of n standard normal numbers: H. L. Harter, "Expected values of normal order
// statistics", Biometrika 48 (1961).
TEST_CASE("expected largest: of equal times as in the table of normal order statistics") {
  constexpr double kSpread = 0.1;
  const auto above = [&](std::size_t n) {
    return (expected_largest(std::vector<double>(n, 7.0), kSpread) - 7) / kSpread;
  };
  CHECK(std::abs(above(1)) < 0.02);
  CHECK(above(2) == Approx(0.56419).epsilon(0.02));
  CHECK(above(3) == Approx(0.84628).epsilon(0.02));
  CHECK(above(10) == Approx(1.53875).epsilon(0.01));
  CHECK(above(100) == Approx(2.50759).epsilon(0.01));
}

// C. E. Clark, "The greatest of a finite set of random variables", Operations Research 9 (1961).
TEST_CASE("expected largest: of two different times as by Clark's formula") {
  constexpr double kSpread = 0.5;
  for (const double apart : {0.1, 0.3, 0.77, 1.5, 3.9, 8.0}) {
    const double both = std::numbers::sqrt2 * kSpread, a = apart / both;
    const double normal = 0.5 * std::erfc(-a / std::numbers::sqrt2);
    const double density = std::exp(-a * a / 2) / std::sqrt(2 * std::numbers::pi);
    const double expected = (2 + apart) * normal + 2 * (1 - normal) + both * density;
    CAPTURE(apart);
    CHECK(std::abs(expected_largest(std::vector<double>{2 + apart, 2}, kSpread) - expected) < 0.02 * kSpread);
  }
}

TEST_CASE("expected largest: it grows with each time and with the spread") {
  std::vector<double> times{1, 2, 2.9, 3};
  double last = expected_largest(times, 0.2);
  for (const double later : {2.2, 2.5, 2.8, 3.1}) {
    times[1] = later;
    const double now = expected_largest(times, 0.2);
    CHECK(now > last);
    last = now;
  }
  CHECK(expected_largest(times, 0.3) > last);
}
