// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/pe_speed.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lb/simulate/network.hpp"

using namespace skein::simulate;

TEST_CASE("pe speed: a PE of twice the speed takes half the time") {
  Platform platform;
  platform.pes_per_node = 2;
  platform.speeds = {1, 2};
  const PeSpeed speed(platform);
  CHECK(speed.run(0, 100, 50).end == 150);
  CHECK(speed.run(0, 100, 50).busy == 50);
  CHECK(speed.run(1, 100, 50).end == 125);
  CHECK(speed.run(1, 100, 50).busy == 25);
}

TEST_CASE("pe speed: background makes a burst longer, and not its processor time") {
  Platform platform;
  platform.background = {0.75};
  const PeSpeed speed(platform);
  CHECK(speed.run(0, 0, 100).end == 400);
  CHECK(speed.run(0, 0, 100).busy == 100);
}

TEST_CASE("pe speed: a change in the middle of a burst") {
  Platform platform;
  platform.changes = {{.pe = 0, .from_ns = 1000, .until_ns = 1500, .factor = 0.5}};
  const PeSpeed speed(platform);
  CHECK(speed.run(0, 0, 1000).end == 1000);
  CHECK(speed.run(0, 0, 1100).end == 1200);
  // 1000 before, 250 in the slow half microsecond, 50 after.
  CHECK(speed.run(0, 0, 1300).end == 1550);
  CHECK(speed.run(0, 0, 1300).busy == 1550);
  CHECK(speed.run(0, 1500, 7).end == 1507);
}

TEST_CASE("pe speed: a PE that stands goes on later, or never") {
  Platform platform;
  platform.changes = {{.pe = 0, .from_ns = 10, .until_ns = 20, .factor = 0},
                      {.pe = 0, .from_ns = 100, .until_ns = 0, .factor = 0}};
  const PeSpeed speed(platform);
  CHECK(speed.run(0, 0, 15).end == 25);
  CHECK(speed.run(0, 0, 15).busy == 15);
  CHECK(speed.run(0, 90, 10).end == 100);
  CHECK(speed.run(0, 90, 11).end == kNever);
}

TEST_CASE("pe speed: noise has the deviation that was asked for, and depends on nothing else") {
  double sum = 0, squares = 0;
  constexpr int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const double part = static_cast<double>(with_noise(1000000, 0.1, 7, 3, i)) / 1e6 - 1;
    sum += part;
    squares += part * part;
  }
  CHECK(std::abs(sum / draws) < 0.1 * 4 / std::sqrt(draws));
  CHECK(std::sqrt(squares / draws) == doctest::Approx(0.1).epsilon(0.03));
  CHECK(with_noise(1000, 0.1, 7, 3, 5) == with_noise(1000, 0.1, 7, 3, 5));
  CHECK(with_noise(1000, 0, 7, 3, 5) == 1000);
}
