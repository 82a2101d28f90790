// SPDX-License-Identifier: Apache-2.0
// check_tube FILE: prints the L1 error of the density that samr wrote of Sod's tube, against the exact
// solution at the cells' middles; and checks that nothing depends on y and z.
//
// First it checks the exact solver itself, with the values of Toro, table 4.3.
#include <cmath>
#include <cstdio>
#include <map>

#include "cells.hpp"
#include "exact_riemann.hpp"

namespace {

struct Known {
  Gas1 left, right;
  double pressure, velocity;
};
constexpr Known table[] = {
    {{1, 0, 1}, {0.125, 0, 0.1}, 0.30313, 0.92745},
    {{1, 0, 1000}, {1, 0, 0.01}, 460.894, 19.5975},
    {{5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 1691.64, 8.68975},
};

bool exact_solver_is_right() {
  for (const Known& known : table) {
    const ExactRiemann exact(known.left, known.right, 1.4);
    if (std::abs(exact.star_pressure() / known.pressure - 1) > 2e-5 ||
        std::abs(exact.star_velocity() / known.velocity - 1) > 2e-5)
      return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !exact_solver_is_right()) return 2;
  const WrittenCells written = read_cells(argv[1]);
  if (written.time <= 0) return 2;
  const ExactRiemann exact({1, 0, 1}, {0.125, 0, 0.1}, 1.4);
  double error = 0, volume = 0, height = 0, depth = 0;
  std::map<double, double> density_at;  // by x
  for (const Written& c : written.cells) {
    const double its = c.side * c.side * c.side;
    error += its * std::abs(c.density - exact.at((c.x - 0.5) / written.time).density);
    volume += its;
    height = std::max(height, c.y + 0.5 * c.side);
    depth = std::max(depth, c.z + 0.5 * c.side);
    const auto [known, is_new] = density_at.emplace(c.x, c.density);
    if (!is_new && std::abs(known->second - c.density) > 1e-12) {
      std::fprintf(stderr, "FAILED: the density at x = %g depends on y or z\n", c.x);
      return 1;
    }
  }
  if (std::abs(volume - height * depth) > 1e-9 * volume) {
    std::fprintf(stderr, "FAILED: the cells cover %g of %g\n", volume, height * depth);
    return 1;
  }
  std::printf("L1 error: %.6f\n", error / volume);
  return 0;
}
