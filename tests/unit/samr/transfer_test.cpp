// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/transfer.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace samr;

namespace {

constexpr double heat_ratio = 1.4;
const Box coarse_box{{0, 0, 0}, {8, 8, 8}};

Field random_field(const Box& box) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> draw(0.5, 2);
  Field field(box);
  for_each_cell(box, [&](const Cell& c) {
    field[c] = state_of({{draw(random), draw(random) - 1, draw(random) - 1, draw(random) - 1, draw(random)}},
                        heat_ratio);
  });
  return field;
}

}  // namespace

TEST_CASE("transfer: means of interpolated cells are the cells") {
  const Field coarse = random_field(coarse_box);
  const Field again = averaged(interpolated(coarse, coarse_box.refined(), coarse_box, heat_ratio));
  for_each_cell(coarse_box, [&](const Cell& c) {
    for (std::size_t v = 0; v < variables; ++v)
      CHECK(again[c].at[v] == doctest::Approx(coarse[c].at[v]).epsilon(1e-14));
  });
}

TEST_CASE("transfer: what is linear is interpolated exactly, also for a part of a coarse cell") {
  const auto linear = [](double x, double y, double z) {
    return State{{4 + 0.1 * x - 0.2 * y + 0.05 * z, 0, 0, 0, 9 - 0.1 * x + 0.2 * z}};
  };
  Field coarse(coarse_box);
  for_each_cell(coarse_box, [&](const Cell& c) { coarse[c] = linear(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5); });
  const Box fine{{3, 4, 5}, {9, 7, 12}};
  CHECK(coarse_box.contains(sources_of(fine, coarse_box)));
  const Field found = interpolated(coarse.piece(sources_of(fine, coarse_box)), fine, coarse_box, heat_ratio);
  CHECK(found.box() == fine);
  for_each_cell(fine, [&](const Cell& f) {
    const State expected = linear(0.5 * f[0] + 0.25, 0.5 * f[1] + 0.25, 0.5 * f[2] + 0.25);
    for (const std::size_t v : {0, 4})
      CHECK(found[f].at[v] == doctest::Approx(expected.at[v]).epsilon(1e-14));
  });
}

TEST_CASE("transfer: slopes never make negative pressures") {
  Field coarse(coarse_box);
  for_each_cell(coarse_box, [&](const Cell& c) {
    coarse[c] = state_of({{1, c[0] % 8 < 4 ? 3.0 * c[0] : 40.0, 0, 0, 1e-3}}, heat_ratio);
  });
  const Field fine = interpolated(coarse, coarse_box.refined(), coarse_box, heat_ratio);
  for (const State& state : fine.values()) CHECK(gas_of(state, heat_ratio).is_possible());
}

TEST_CASE("transfer: between two times") {
  const Field old = random_field(coarse_box);
  Field now(coarse_box);
  const Cell at{1, 2, 3};
  CHECK(between(old, now, 0)[at] == old[at]);
  CHECK(between(old, now, 1)[at] == now[at]);
  CHECK(between(old, now, 0.5)[at].mass() == 0.5 * old[at].mass());
}
