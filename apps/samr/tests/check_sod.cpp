// SPDX-License-Identifier: Apache-2.0
// check_sod FILE LENGTH: the L1 error of the density that samr wrote of Sod's tube of that length, against
// the exact solution at the cells' middles; and that nothing depends on y. Prints the error, of a tube of
// length 1.
//
// The exact solver is itself checked first, with the values of Toro, table 4.3: test 1, Sod's problem, has
// p* = 0.30313 and u* = 0.92745; test 3 p* = 460.894, u* = 19.5975; test 4 p* = 46.0950, u* = 8.68975.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

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
        std::abs(exact.star_velocity() / known.velocity - 1) > 2e-5) {
      std::fprintf(stderr, "FAILED: the exact solver has p* = %g, u* = %g for %g, %g\n",
                   exact.star_pressure(), exact.star_velocity(), known.pressure, known.velocity);
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || !exact_solver_is_right()) return 2;
  const double length = std::atof(argv[2]);
  std::ifstream in(argv[1]);
  std::string line, word;
  double time = 0, error = 0, area = 0;
  if (!(in >> word >> word >> time) || time <= 0) return 2;
  std::getline(in, line);
  std::getline(in, line);
  const ExactRiemann exact({1, 0, 1}, {0.125, 0, 0.1}, 1.4);
  std::map<double, double> density_at;  // by x
  while (std::getline(in, line)) {
    std::istringstream words(line);
    double x, y, side, density;
    words >> x >> y >> side >> density;
    if (!words) return 2;
    error += side * side * std::abs(density - exact.at((x - length / 2) / time).density);
    area += side * side;
    const auto [known, is_new] = density_at.emplace(x, density);
    if (!is_new && std::abs(known->second - density) > 1e-12) {
      std::fprintf(stderr, "FAILED: the density at x = %g depends on y\n", x);
      return 1;
    }
  }
  if (std::abs(area - length) > 1e-9 * length) {
    std::fprintf(stderr, "FAILED: the cells cover %g of %g\n", area, length);
    return 1;
  }
  std::printf("L1 error: %.6f\n", error / area);
  return 0;
}
