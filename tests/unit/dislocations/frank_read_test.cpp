// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "apps/dislocations/crystal.hpp"

using namespace dislocations;

namespace {

constexpr double poisson = 0.3;

/// Returns true if a source bows out for ever under this shear. Past the critical shape nothing holds the
/// line; below it the line comes to rest while it is shorter than two of its spans.
bool operates(double span, double character, double shear) {
  Parameters parameters;
  parameters.scenario = Scenario::frank_read;
  parameters.length = span;
  parameters.character = character;
  parameters.shear = shear;
  parameters.tension = 0;
  parameters.box = {10 * span, 1, 0};
  parameters.material = {poisson, 1};
  parameters.longest = span / 6;
  parameters.shortest = span / 18;
  parameters.stride = span / 24;
  parameters.time_step = 0.5 * parameters.shortest * parameters.shortest;
  Crystal crystal(parameters);
  double before = 0;
  for (;;) {
    for (int k = 0; k < 20; ++k) crystal.step();
    double line = 0;
    for (const auto& [id, node] : crystal.nodes())
      if (node.next.id != 0) line += norm(node.next.x - node.x);
    if (line > 2 * span) return true;
    if (std::abs(line - before) < 1e-4 * span) return false;
    before = line;
  }
}

/// b / (2 pi L) times this is the stress: de Wit and Koehler's line tension gives an edge source, whose ends
/// are screws when it becomes unstable, A = 1, and a screw source, whose ends are edges then, 1 / (1 - nu).
double stress(double factor, double span, double constant) {
  return factor / (2 * std::numbers::pi * span) * (std::log(span) + constant);
}

}  // namespace

// A. J. E. Foreman, Phil. Mag. 15, 1011 (1967): tau = A b / (2 pi L) (ln (L / r0) + B). B is of order 1 and
// depends on what is meant by the core r0, here the radius of the Burgers vector's spread. So that A is
// tested, the same B has to hold for spans of 100 and of 6,400 cores: an A that was 10 % wrong would move B
// by 0.1 ln(64) = 0.4, which is the width of what is allowed.
TEST_CASE("frank-read: an edge source operates from b / (2 pi L) (ln (L / a) + B) on") {
  for (const double span : {100.0, 6400.0}) {
    CHECK_FALSE(operates(span, 90, stress(1, span, -0.05)));
    CHECK(operates(span, 90, stress(1, span, 0.35)));
  }
}

TEST_CASE("frank-read: a screw source operates from b / (2 pi (1 - nu) L) (ln (L / a) + B) on") {
  for (const double span : {100.0, 6400.0}) {
    CHECK_FALSE(operates(span, 0, stress(1 / (1 - poisson), span, -0.9)));
    CHECK(operates(span, 0, stress(1 / (1 - poisson), span, -0.5)));
  }
}
