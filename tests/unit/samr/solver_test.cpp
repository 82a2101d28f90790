// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/solver.hpp"

#include <doctest/doctest.h>

#include <numbers>
#include <random>

using namespace samr;

namespace {

constexpr double heat_ratio = 1.4;

/// Returns the mean error of a density wave after a quarter of its diagonal way through a periodic domain.
double wave_error(int n) {
  const Box box{{0, 0, 0}, {n, n, 4}};
  const auto density = [&](double x, double y) { return 1 + 0.2 * std::sin(2 * std::numbers::pi * (x + y)); };
  Field cells(box);
  for_each_cell(box, [&](const Cell& c) {
    cells[c] = state_of({{density((c[0] + 0.5) / n, (c[1] + 0.5) / n), 1, 1, 0, 1}}, heat_ratio);
  });
  const int steps = 2 * n;
  const double ratio = 0.25 * n / steps;
  for (int step = 0; step < steps; ++step) {
    Field around(box.grown(ghost_cells));
    for_each_cell(around.box(), [&](const Cell& c) {
      around[c] = cells[{(c[0] + n) % n, (c[1] + n) % n, (c[2] + 4) % 4}];
    });
    cells = advanced(around, box, ratio, heat_ratio).cells;
  }
  double error = 0;
  for_each_cell(box, [&](const Cell& c) {
    error += std::abs(cells[c].mass() - density((c[0] + 0.5) / n - 0.25, (c[1] + 0.5) / n - 0.25));
  });
  return error / static_cast<double>(box.cells());
}

Field random_cells(const Box& box) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> draw(0.2, 3);
  Field field(box);
  for_each_cell(box, [&](const Cell& c) {
    field[c] =
        state_of({{draw(random), draw(random) - 1.6, draw(random) - 1.6, draw(random) - 1.6, draw(random)}},
                 heat_ratio);
  });
  return field;
}

}  // namespace

TEST_CASE("solver: a contact at rest stays, and equal states have the flux of the gas") {
  const State contact = flux({{1, 0, 0, 0, 2}}, {{5, 0, 0, 0, 2}}, 1, heat_ratio);
  CHECK(contact == State{{0, 0, 2, 0, 0}});
  const Gas gas{{2, 0.3, -0.4, 0.5, 1.5}};
  const State through = flux(gas, gas, 2, heat_ratio);
  const double energy = 1.5 / 0.4 + (0.09 + 0.16 + 0.25);
  const State expected{{1, 0.3, -0.4, 0.5 + 1.5, 0.5 * (energy + 1.5)}};
  for (std::size_t v = 0; v < variables; ++v) CHECK(through.at[v] == doctest::Approx(expected.at[v]));
}

TEST_CASE("solver: a smooth wave is of second order") {
  const double coarse = wave_error(16), fine = wave_error(32);
  CHECK(coarse < 0.01);
  CHECK(coarse / fine > 3);
}

TEST_CASE(
    "solver: cells come out the same whatever box they are part of, and what leaves one enters the next") {
  const Box box{{0, 0, 0}, {8, 6, 4}};
  const Field around = random_cells(box.grown(ghost_cells));
  const Step whole = advanced(around, box, 0.05, heat_ratio);
  double before = 0, after = 0, out = 0;
  for_each_cell(box, [&](const Cell& c) { before += around[c].energy(), after += whole.cells[c].energy(); });
  for (int side = 0; side < sides; ++side) {
    const auto axis = static_cast<std::size_t>(axis_of(side));
    Box faces = is_upper(side) ? box.beyond(side) : box;
    faces.end[axis] = faces.first[axis] + 1;
    for_each_cell(faces, [&](const Cell& c) {
      out += (is_upper(side) ? 0.05 : -0.05) * whole.fluxes[axis][c].energy();
    });
  }
  CHECK(after == doctest::Approx(before - out).epsilon(1e-13));
  for (const Box& part : box.cut(0, 4)) {
    const Step alone = advanced(around.piece(part.grown(ghost_cells)), part, 0.05, heat_ratio);
    CHECK(alone.cells.values() == whole.cells.piece(part).values());
  }
}

TEST_CASE("solver: the same along all axes") {
  const Box box{{0, 0, 0}, {4, 4, 4}};
  const auto turned = [](const Cell& c) { return Cell{c[1], c[2], c[0]}; };
  Field along(box.grown(ghost_cells)), across(box.grown(ghost_cells));
  for_each_cell(along.box(), [&](const Cell& c) {
    const double density = c[0] + c[1] < 4 ? 1 : 0.2;
    along[c] = state_of({{density, 0.5, 0, 0.1, density}}, heat_ratio);
  });
  for_each_cell(along.box(), [&](const Cell& c) {
    const State& s = along[turned(c)];  // the turned domain has y for x
    across[c] = {{s.at[0], s.at[3], s.at[1], s.at[2], s.at[4]}};
  });
  const Step a = advanced(along, box, 0.1, heat_ratio), b = advanced(across, box, 0.1, heat_ratio);
  for_each_cell(box, [&](const Cell& c) {
    CHECK(b.cells[c].mass() == doctest::Approx(a.cells[turned(c)].mass()).epsilon(1e-13));
    CHECK(b.cells[c].momentum(0) == doctest::Approx(a.cells[turned(c)].momentum(2)).epsilon(1e-13));
  });
}
