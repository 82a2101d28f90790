// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/potential.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "apps/samr/multigrid.hpp"

using namespace samr;

namespace {

const Box domain{{0, 0, 0}, {16, 16, 16}};
constexpr double side = 1.0 / 16;

/// A wave that fits between walls along all axes: the seven-point operator gives the wave itself times a
/// factor.
double wave(const Cell& c, int number) {
  double value = 1;
  for (const std::int32_t place : c) value *= std::cos(std::numbers::pi * number * (place + 0.5) / 16);
  return value;
}
double seven_points(int number) {
  return -3 * 4 / (side * side) * std::pow(std::sin(std::numbers::pi * number / 32), 2);
}

}  // namespace

TEST_CASE("potential: a quadratic one is interpolated exactly, and its slope is exact") {
  // The walls of the domain are far away.
  const Box far{{-100, -100, -100}, {100, 100, 100}}, coarse_box{{0, 0, 0}, {6, 6, 6}},
      fine{{2, 2, 2}, {10, 10, 10}};
  const auto quadratic = [](double x, double y, double z) {
    return 2 * x * x - y * y + 0.5 * z * z + x - 3 * z;
  };
  Pulls coarse(coarse_box), pulls(fine);
  for_each_cell(coarse_box, [&](const Cell& c) {
    coarse[c].potential = quadratic(2 * c[0] + 1, 2 * c[1] + 1, 2 * c[2] + 1);
  });
  interpolate(coarse, far, fine, pulls);
  // This says nothing about means over coarse cells: the values are at the middles of cells, coarse and fine.
  for_each_cell(fine, [&](const Cell& f) {
    CHECK(pulls[f].potential == doctest::Approx(quadratic(f[0] + 0.5, f[1] + 0.5, f[2] + 0.5)));
  });
  const Cell cell{5, 6, 7};
  CHECK(pull_along(pulls, far, cell, 0, 1) == doctest::Approx(-(4 * 5.5 + 1)));
  CHECK(pull_along(pulls, far, cell, 1, 1) == doctest::Approx(2 * 6.5));
  CHECK(pull_along(pulls, far, cell, 2, 1) == doctest::Approx(-(7.5 - 3)));
}

TEST_CASE("potential: V-cycles come near to a wave between walls, whatever its length") {
  for (const int number : {1, 3, 6}) {
    Scalars residual(domain);
    for_each_cell(domain, [&](const Cell& c) { residual[c] = seven_points(number) * wave(c, number); });
    const Scalars found = correction(
        {residual.piece({{0, 0, 0}, {16, 7, 16}}), residual.piece({{0, 7, 0}, {16, 16, 16}})}, domain, side);
    // A constant offset does not matter.
    const double shift = found[{0, 0, 0}] - wave({0, 0, 0}, number);
    double worst = 0;
    for_each_cell(domain, [&](const Cell& c) {
      worst = std::max(worst, std::abs(found[c] - shift - wave(c, number)));
    });
    CAPTURE(number);
    CHECK(worst < 0.1);
  }
}

TEST_CASE("potential: a correction ends where its cells end, and is that of the cells however they are cut") {
  const Boxes bent{{{2, 2, 2}, {12, 6, 8}}, {{2, 6, 2}, {6, 12, 8}}};
  std::vector<Scalars> whole, cut;
  for (const Box& box : bent) {
    Scalars residual(box);
    for_each_cell(box, [&](const Cell& c) { residual[c] = 1 + c[0] - c[2]; });
    for (const Box& part : box.cut(0, 4)) cut.push_back(residual.piece(part));
    whole.push_back(std::move(residual));
  }
  std::ranges::reverse(cut);
  const Scalars found = correction(whole, domain, side);
  CHECK(found.values() == correction(cut, domain, side).values());
  CHECK(found[{8, 8, 4}] == 0);
  CHECK(found[{4, 4, 4}] != 0);
}

TEST_CASE(
    "potential: sweeps and corrections in turn take away what is missing, to a third in each cycle at "
    "least") {
  Pulls pulls(domain);
  for_each_cell(domain, [&](const Cell& c) {
    pulls[c].source = seven_points(1) * wave(c, 1) + seven_points(5) * wave(c, 5);
  });
  double before = 0;
  for (int cycle = 0; cycle < 8; ++cycle) {
    for (const int colour : {0, 1}) relax(pulls, domain, {domain}, domain, side, colour);
    const Scalars residual = coarse_residual(pulls, domain, domain, side);
    const double now = largest({residual});
    CAPTURE(cycle);
    if (cycle > 0) CHECK(now < before / 3);
    before = now;
    add_interpolated(correction({residual}, domain.coarsened(), 2 * side), domain.coarsened(), domain, pulls);
  }
}
