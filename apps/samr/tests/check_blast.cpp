// SPDX-License-Identifier: Apache-2.0
// check_blast FILE: compares the front of the explosion that samr wrote with Sedov's solution; prints the
// ratio. With energy E in gas of density 1 it is at (E t^2 / 0.851072)^(1/5) for the heat ratio 1.4 (J. R.
// Kamm, LA-UR-00-6055, 2000), and its pressure is 2 / (heat ratio + 1) times its speed squared. The front is
// taken to be where the pressure is half of that.
#include <cmath>
#include <cstdio>

#include "cells.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const WrittenCells written = read_cells(argv[1]);
  if (written.time <= 0) return 2;
  const double radius = std::pow(written.time * written.time / 0.851072, 0.2);
  const double speed = 0.4 * radius / written.time, half = speed * speed / 2.4;
  // Means over shells half a finest cell thick.
  double side = 1;
  for (const Written& c : written.cells) side = std::min(side, c.side);
  const double thickness = 0.5 * side;
  std::vector<double> pressure(static_cast<std::size_t>(2 / thickness)), volume(pressure.size());
  for (const Written& c : written.cells) {
    const auto shell = static_cast<std::size_t>(std::hypot(c.x, c.y, c.z) / thickness);
    pressure[shell] += c.side * c.side * c.side * c.pressure;
    volume[shell] += c.side * c.side * c.side;
  }
  for (std::size_t i = pressure.size(); i-- > 0;) {
    if (volume[i] == 0) continue;
    const double here = pressure[i] / volume[i];
    if (here < half) continue;
    const double next = pressure[i + 1] / volume[i + 1];
    const double front = (static_cast<double>(i) + 0.5 + (here - half) / (here - next)) * thickness;
    std::printf("radius to that of Sedov: %.4f\n", front / radius);
    return 0;
  }
  return 1;
}
