// SPDX-License-Identifier: Apache-2.0
#include "apps/samr/patch.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace samr;

namespace {

const Box box{{8, 8, 8}, {20, 16, 16}};

Patch numbered() {
  Patch patch;
  patch.now = patch.old = Field(box);
  double number = 1;
  for_each_cell(box, [&](const Cell& c) { patch.now[c].at[0] = number, patch.old[c].at[0] = -number++; });
  for (int side = 0; side < sides; ++side) {
    FluxPlane plane{side, Field(box.coarsened().beyond(side))};
    for_each_cell(plane.flux.box(), [&](const Cell& c) { plane.flux[c].at[0] = number++; });
    patch.at_coarser.push_back(plane);
  }
  FluxPlane finer{1, Field({{10, 9, 9}, {11, 15, 15}})};
  for_each_cell(finer.flux.box(), [&](const Cell& c) { finer.flux[c].at[0] = number++; });
  patch.at_finer.push_back(finer);
  return patch;
}

double sum(const FluxPlanes& planes, int side) {
  double total = 0;
  for (const FluxPlane& plane : planes)
    if (plane.side == side)
      for (const State& flux : plane.flux.values()) total += flux.at[0];
  return total;
}

}  // namespace

TEST_CASE("patch: it is cut along the longest axis at an even place, and joins again with all that it knew") {
  const Patch patch = numbered();
  const std::vector<Patch> halves = divided(patch, 0.4);
  REQUIRE(halves.size() == 2);
  CHECK(halves[0].box() == Box{{8, 8, 8}, {16, 16, 16}});
  CHECK(halves[1].box() == Box{{16, 8, 8}, {20, 16, 16}});
  CHECK(halves[0].at_coarser.size() == 5);  // none at the cut
  CHECK(halves[1].at_coarser.size() == 5);
  CHECK(halves[1].at_finer.empty());
  const std::vector<Patch> again = joined({halves[1], halves[0]});
  REQUIRE(again.size() == 1);
  CHECK(again[0].now.values() == patch.now.values());
  CHECK(again[0].old.values() == patch.old.values());
  CHECK(sum(again[0].at_finer, 1) == sum(patch.at_finer, 1));
  for (int side = 0; side < sides; ++side)
    CHECK(sum(again[0].at_coarser, side) == sum(patch.at_coarser, side));
}

TEST_CASE(
    "patch: it stays whole where a part would be too thin, and parts are never thinner than two coarse "
    "cells") {
  Patch patch;
  patch.now = Field({{0, 0, 0}, {6, 4, 4}});
  CHECK(divided(patch, 0.5).size() == 1);
  patch.now = Field({{0, 0, 0}, {8, 4, 4}});
  for (const double share : {0.01, 0.5, 0.99}) {
    const std::vector<Patch> halves = divided(patch, share);
    REQUIRE(halves.size() == 2);
    CHECK(halves[0].box().length(0) == 4);
  }
}

TEST_CASE("patch: three parts of one are joined in any order") {
  const Patch patch = numbered();
  const std::vector<Patch> halves = divided(patch, 0.5), quarters = divided(halves[0], 0.5);
  REQUIRE(quarters.size() == 2);
  CHECK(joined({quarters[1], halves[1], quarters[0]}).size() == 1);
  CHECK(joined({quarters[0], halves[1]}).size() == 2);
}

TEST_CASE("patch: cells beside a jump are flagged, with a buffer that may leave the box") {
  const Box cells{{0, 0, 0}, {8, 4, 4}};
  Field around(cells.grown(1));
  for_each_cell(around.box(), [&](const Cell& c) {
    around[c] = state_of({{c[0] < 2 ? 2.0 : 1.0, 0, 0, 0, 1}}, 1.4);
  });
  CHECK(cells_of(rows_to_refine(around, cells, {0.5, 100, 0}, 1.4)) == 2 * 4 * 4);
  const Boxes rows = rows_to_refine(around, cells, {0.5, 100, 2}, 1.4);
  CHECK(cells_of(rows) == 6 * 8 * 8);
  CHECK(rows.front() == Box{{-1, -2, -2}, {5, -1, -1}});
  CHECK(rows_to_refine(around, cells, {1.5, 100, 2}, 1.4).empty());
  CHECK(rows_to_refine(around, cells, {1.5, 1.5, 0}, 1.4) ==
        rows_to_refine(around.piece({{-1, -1, -1}, {3, 5, 5}}), {{0, 0, 0}, {2, 4, 4}}, {0, 0, 0}, 1.4));
}

TEST_CASE("flux planes: what goes into the finer level leaves the coarser one") {
  // One coarse cell has a fine upper neighbour along x: the plane has the mean of four faces, each counting
  // half for its half step.
  const Box fine{{2, 0, 0}, {4, 2, 2}};
  FluxPlane plane{0, Field(fine.coarsened().beyond(0))};
  CHECK(plane.flux.box() == Box{{0, 0, 0}, {1, 1, 1}});
  Step step{Field(fine), {}};
  step.fluxes[0] = Field({{2, 0, 0}, {5, 2, 2}});
  double flux = 1;
  for_each_cell({{2, 0, 0}, {3, 2, 2}}, [&](const Cell& c) { step.fluxes[0][c].at[0] = flux++; });
  add_fine_fluxes(plane, step);
  add_fine_fluxes(plane, step);
  CHECK(plane.flux[{0, 0, 0}].at[0] == 2.5);
  Step coarse{Field({{0, 0, 0}, {1, 1, 1}}), {}};
  coarse.fluxes[0] = Field({{0, 0, 0}, {2, 1, 1}});
  coarse.fluxes[0][{1, 0, 0}].at[0] = 3;
  Field cells(coarse.cells.box());
  correct(cells, {coarse_fluxes(coarse, 0, cells.box())}, {plane}, 0.5);
  CHECK(cells[{0, 0, 0}].at[0] == 0.5 * (3 - 2.5));
}
