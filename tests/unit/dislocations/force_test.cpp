// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "apps/dislocations/segment_force.hpp"

using namespace dislocations;

namespace {

constexpr double pi = std::numbers::pi;

/// Returns the force per length on the middle of a line along z. The other line is parallel to it at distance
/// d along x, and extends by `half` both ways.
Vec3 force_between(const Material& material, const Vec3& burgers_by, const Vec3& burgers_on, double d,
                   double half) {
  std::uint64_t evaluations = 0;
  const EndForces forces = force_by(material, Straight{{0, 0, -half}, {0, 0, half}, burgers_by},
                                    Straight{{d, 0, -0.5}, {d, 0, 0.5}, burgers_on}, evaluations);
  return forces.first + forces.second;
}

}  // namespace

TEST_CASE("forces: of infinite parallel lines, as far as both are long") {
  const Material material{0.3, 0.001};
  const double d = 10, edge = 1 / (2 * pi * (1 - 0.3) * d), screw = 1 / (2 * pi * d);
  // What a line of half length S lacks is of the order of (d / S)^2.
  for (const double half : {100.0, 1000.0, 10000.0}) {
    const double lacking = (d / half) * (d / half);
    const Vec3 by_edge = force_between(material, {1, 0, 0}, {1, 0, 0}, d, half);
    CHECK(std::abs(by_edge.x / edge - 1) < lacking + 1e-6);
    CHECK(std::abs(by_edge.y) < 1e-9);
    const Vec3 by_screw = force_between(material, {0, 0, 1}, {0, 0, 1}, d, half);
    CHECK(std::abs(by_screw.x / screw - 1) < lacking + 1e-6);
    // Opposite lines attract each other, and edge and screw exert no force on each other.
    CHECK(force_between(material, {0, 0, 1}, {0, 0, -1}, d, half).x == doctest::Approx(-by_screw.x));
    CHECK(std::abs(force_between(material, {1, 0, 0}, {0, 0, 1}, d, half).x) < 1e-9);
  }
  // Edges at 45 degrees neither attract nor repel along their slip planes: cos a cos 2a = 0.
  const Vec3 burgers{std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2, 0};
  const Vec3 aslant = force_between(material, burgers, burgers, d, 10000);
  CHECK(std::abs(aslant.x + aslant.y) < 1e-6 * edge);
}

TEST_CASE("forces: a core takes from screws what the non-singular theory has") {
  // The stress of an infinite screw: b / (2 pi) x / (x^2 + a^2) (1 + a^2 / (x^2 + a^2)), equation 22 of Cai
  // et al.
  for (const double d : {0.5, 1.0, 2.0, 5.0}) {
    const double a = 2, squares = d * d + a * a;
    const double expected = d / (2 * pi * squares) * (1 + a * a / squares);
    CHECK(force_between({0.3, a}, {0, 0, 1}, {0, 0, 1}, d, 2000).x ==
          doctest::Approx(expected).epsilon(1e-5));
  }
}

TEST_CASE("forces: a prismatic loop contracts by what its energy loses") {
  // W = b^2 R / (2 (1 - nu)) (ln (8 R / a) - 1) for a << R, equation 39 of Cai et al.; so the force on all of
  // it is -dW/dR = -b^2 / (2 (1 - nu)) ln (8 R / a).
  const Material material{0.3, 1};
  const double radius = 500;
  for (const int corners : {32, 64, 128}) {
    std::vector<Straight> loop;
    const auto corner = [&](int k) {
      return Vec3{radius * std::cos(2 * pi * k / corners), radius * std::sin(2 * pi * k / corners), 0};
    };
    for (int k = 0; k < corners; ++k) loop.push_back({corner(k), corner(k + 1), {0, 0, 1}});
    std::uint64_t evaluations = 0;
    EndForces sum;
    for (const Straight& by : loop) sum += force_by(material, by, loop.front(), evaluations);
    const double outward = corners / radius * (dot(sum.first, corner(0)) + dot(sum.second, corner(1)));
    const double expected = -1 / (2 * (1 - 0.3)) * std::log(8 * radius / 1);
    // The polygon's circumference and area are short of the circle's by 2 (pi / n)^2 / 3 at most.
    CHECK(std::abs(outward / expected - 1) < 0.002 + 2 * std::pow(pi / corners, 2));
  }
}

TEST_CASE("forces: on its own a segment turns, and both ends feel the same") {
  std::uint64_t evaluations = 0;
  const Straight mixed{{0, 0, 0}, {100, 0, 0}, {0.6, 0.8, 0}};
  const EndForces forces = force_by({0.3, 2}, mixed, mixed, evaluations);
  CHECK(std::abs(forces.first.x) < 1e-12);
  CHECK(forces.first.y == doctest::Approx(-forces.second.y));
  // The line turns towards the screw, which has less energy: its second end moves to the Burgers vector's
  // side.
  CHECK(forces.second.y > 0);
  CHECK(evaluations > 0);
}
