// SPDX-License-Identifier: Apache-2.0
// check_front FILE MACH TILT: prints the L1 error of the density that samr wrote for a plane shock into gas
// of density and pressure 1 with the heat ratio 1.4. Its front began 0.2 from the corner and is turned by
// TILT degrees about y and z. Behind it the density is (g + 1) M^2 / ((g - 1) M^2 + 2), and it runs with M
// times the speed of sound (Toro, section 3.1.3).
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cells.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const WrittenCells written = read_cells(argv[1]);
  if (written.time <= 0) return 2;
  const double mach = std::atof(argv[2]), slope = std::tan(std::atof(argv[3]) * std::acos(-1.0) / 180);
  const double behind = 2.4 * mach * mach / (0.4 * mach * mach + 2);
  const double place = 0.2 + mach * std::sqrt(1.4) * written.time;
  double error = 0, volume = 0;
  for (const Written& c : written.cells) {
    const double along = (c.x + slope * (c.y + c.z)) / std::sqrt(1 + 2 * slope * slope);
    const double its = c.side * c.side * c.side;
    error += its * std::abs(c.density - (along > place ? 1 : behind));
    volume += its;
  }
  std::printf("L1 error: %.6f\n", error / volume);
  return 0;
}
