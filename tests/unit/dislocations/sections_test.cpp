// SPDX-License-Identifier: Apache-2.0
#include "apps/dislocations/mpi/sections.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace dislocations;

TEST_CASE("sections: domains are numbered along Z first, what is outside belongs to the border") {
  const Sections sections({12, 1, 0}, {2, 1, 3});
  CHECK(sections.domain_of({1, 5, 1}) == 0);
  CHECK(sections.domain_of({1, 5, 5}) == 1);
  CHECK(sections.domain_of({6, 5, 11}) == 5);
  CHECK(sections.domain_of({-3, 50, 20}) == 2);
}

TEST_CASE("sections: borders go to where loads are even, at most through half a section") {
  using Row = std::vector<double>;
  // All work is in the first section: half of it is at 3, which is also as far as the border may move.
  CHECK(shifted_borders(Row{0, 6, 12}, Row{8, 0}) == Row{0, 3, 12});
  // 5 of 8 are in the first section: 4 of them are at 4.8.
  CHECK(shifted_borders(Row{0, 6, 12}, Row{5, 3})[1] == doctest::Approx(4.8));
  // By work the second border belongs at 2/3 of the first section, but it may move only to half of the
  // second.
  CHECK(shifted_borders(Row{0, 6, 12, 18}, Row{9, 0, 0}) == Row{0, 3, 9, 18});
  CHECK(shifted_borders(Row{0, 6, 12}, Row{0, 0}) == Row{0, 6, 12});
  CHECK(shifted_borders(Row{0, 12}, Row{5}) == Row{0, 12});
}

TEST_CASE("sections: shifting again and again evens out loads that stay where they are") {
  Sections sections({100, 1, 1}, {4, 3, 2});
  std::vector<Vec3> places;
  for (int k = 0; k < 4000; ++k) {
    const double u = (k % 20 + 0.5) / 20, v = (k / 20 % 20 + 0.5) / 20, w = (k / 400 + 0.5) / 10;
    places.push_back({100 * u * u, 100 * v * v * v, 100 * w});
  }
  const auto imbalance = [&] {
    std::vector<double> loads(24);
    for (const Vec3& place : places) ++loads[static_cast<std::size_t>(sections.domain_of(place))];
    const double most = *std::max_element(loads.begin(), loads.end());
    sections.shift(loads);
    return most / (4000.0 / 24) - 1;
  };
  CHECK(imbalance() > 1.5);
  for (int k = 0; k < 12; ++k) imbalance();
  CHECK(imbalance() < 0.25);
}
