// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "apps/dislocations/multipole.hpp"

using namespace dislocations;

namespace {

constexpr Material singular{0.3, 1e-6};

double size(const Stress& s) {
  return std::sqrt(s.xx * s.xx + s.yy * s.yy + s.zz * s.zz + 2 * (s.xy * s.xy + s.xz * s.xz + s.yz * s.yz));
}
Stress operator-(const Stress& a, const Stress& b) {
  Stress difference = a;
  difference += -1.0 * b;
  return difference;
}

/// Returns the line through `places`, with its Burgers vector.
std::vector<Straight> line(const std::vector<Vec3>& places, const Vec3& burgers) {
  std::vector<Straight> segments;
  for (std::size_t k = 1; k < places.size(); ++k) segments.push_back({places[k - 1], places[k], burgers});
  return segments;
}
const Vec3 burgers{0.5, -0.2, 0.8};
const std::vector<Straight> open_line = line({{0.1, 0.2, -0.3}, {0.4, -0.2, 0.3}, {-0.2, 0.1, 0.4}}, burgers);
const std::vector<Straight> loop =
    line({{0.1, 0.2, -0.3}, {0.4, -0.2, 0.3}, {-0.2, 0.1, 0.4}, {0.1, 0.2, -0.3}}, burgers);

/// Returns the relative error of the stress by the expansion about the origin, at distance `away`.
double error(const std::vector<Straight>& segments, double away) {
  const Vec3 at = away * Vec3{0.48, 0.6, -0.64};
  Moments moments;
  Stress direct;
  for (const Straight& segment : segments) {
    moments.add(segment, {});
    direct += stress_of(singular, segment, at);
  }
  return size(stress_of(singular, Multipole(moments), at) - direct) / size(direct);
}

}  // namespace

TEST_CASE("far field: what the two lowest moments leave out falls by the next power of the distance") {
  // The field of an open line goes with r^-2, the first term that is left out with r^-4.
  CHECK(error(open_line, 20) < 1e-2);
  CHECK(error(open_line, 10) / error(open_line, 20) == doctest::Approx(4).epsilon(0.25));
  // The field of a loop is that of a dipole, r^-3.
  CHECK(error(loop, 20) < 5e-2);
  CHECK(error(loop, 10) / error(loop, 20) == doctest::Approx(2).epsilon(0.25));
}

TEST_CASE("far field: in a cell it is near the sum over the segments that are far") {
  const Box box{100, 5, 0};
  std::vector<Moments> moments(static_cast<std::size_t>(box.cell_count()));
  std::vector<std::vector<Straight>> loops;  // far from the cell
  for (std::int32_t cell = 0; cell < box.cell_count(); cell += 3) {
    std::vector<Straight> moved;
    for (Straight segment : loop) {
      segment.first = box.middle(cell) + 10 * segment.first;
      segment.second = box.middle(cell) + 10 * segment.second;
      moments[static_cast<std::size_t>(cell)].add(segment, box.middle(cell));
      moved.push_back(segment);
    }
    if (!box.are_near(cell, 31)) loops.push_back(moved);
  }
  const FarField far(singular, box, {moments.begin(), moments.end()}, 31);
  for (const double x : {0.1, 0.5, 0.9})
    for (const double y : {0.2, 0.8}) {
      const Vec3 at = box.lowest_corner(31) + box.cell_side() * Vec3{x, y, 0.4};
      Stress direct;
      double sizes = 0;
      for (const std::vector<Straight>& cell : loops) {
        Stress one;
        for (const Straight& segment : cell) one += stress_of(singular, segment, at);
        direct += one;
        sizes += size(one);
      }
      // Loops reach half a cell from its middle, which is one and a half off at least: the next moment of
      // each has at most a third of what the last one has.
      CHECK(size(far.at(at) - direct) < sizes / 3);
    }
  CHECK(far.evaluations() > 0);
}

TEST_CASE("box: images that are as near count by halves") {
  const Box even{60, 6, 1}, odd{50, 5, 1};
  // Cells 0 and 3 along z are half a box apart; along all axes there are eight images.
  CHECK(even.images(3, 0).size() == 2);
  CHECK(even.images(3, 0)[0].weight == 0.5);
  CHECK(even.images((3 * 6 + 3) * 6 + 3, 0).size() == 8);
  CHECK(even.images((3 * 6 + 3) * 6 + 3, 0)[7].weight == 0.125);
  CHECK(odd.images(3, 0).size() == 1);
  CHECK(odd.images(3, 0)[0].shift == Vec3{0, 0, -50});
  CHECK(odd.images(0, 3)[0].shift == Vec3{0, 0, 50});
  CHECK(odd.images(2, 0)[0].shift == Vec3{});
}

TEST_CASE("box: around a cell of a periodic box are 27, at the corner of a free one 8") {
  CHECK(Box{60, 6, 1}.around(0).size() == 27);
  CHECK(Box{60, 3, 1}.around(5).size() == 27);
  CHECK(Box{60, 6, 0}.around(0).size() == 8);
  CHECK(Box{60, 1, 0}.around(0).size() == 1);
  CHECK(Box{60, 6, 1}.wrapped({-1, 61, 60}) == Vec3{59, 1, 0});
  CHECK(Box{60, 6, 1}.nearest({59, -31, 20}) == Vec3{-1, 29, 20});
  CHECK(Box{60, 6, 0}.cell_of({-5, 100, 30}) == 5 * 6 + 3);
}
