// SPDX-License-Identifier: Apache-2.0
// check_collapse cells|particles FILE MEAN: compares how long the eighth of a sphere of density 1 that samr
// wrote has been falling with the time that it needs in theory to get so small; prints the ratio. In a space
// of mean density MEAN, which pulls outwards, its radius y, 1 at first, falls with y'' = -(4 pi G / 3) (1 /
// y^2 - MEAN y), so that y'^2 = (4 pi G / 3) (2 (1 / y - 1) - MEAN (1 - y^2)); 4 pi G is 1.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cells.hpp"
#include "particles.hpp"

namespace {

double time_to(double y, double mean) {
  // The substitution 1 - y = u^2 removes the infinity at the start; 10,000 steps by the midpoint rule.
  const double most = std::sqrt(1 - y);
  constexpr int steps = 10'000;
  double time = 0;
  for (int i = 0; i < steps; ++i) {
    const double u = (i + 0.5) * most / steps, at = 1 - u * u;
    time += 2 * u * most / steps / std::sqrt((2 * (1 / at - 1) - mean * (1 - at * at)) / 3);
  }
  return time;
}

/// Computes the size from the mean density of the inner half.
double size_of_gas(const WrittenCells& written) {
  double size = 1;
  for (int i = 0; i < 50; ++i) {
    double mass = 0, volume = 0;
    for (const Written& c : written.cells) {
      if (std::hypot(c.x, c.y, c.z) > 0.25 * size) continue;
      mass += c.side * c.side * c.side * c.density;
      volume += c.side * c.side * c.side;
    }
    size = std::cbrt(volume / mass);
  }
  return size;
}

/// Computes the size from the movement of the particles that were in the inner 0.8 of a radius of 0.5.
double size_of_particles(const WrittenParticles& written) {
  double now = 0, before = 0;
  const double cells = std::cbrt(static_cast<double>(written.particles.size()));
  const auto place = [&](double number) { return (std::fmod(number, cells) + 0.5) / cells; };
  for (const WrittenParticle& p : written.particles) {
    const auto id = static_cast<double>(p.id);
    const double r =
        std::hypot(place(id), place(std::floor(id / cells)), place(std::floor(id / cells / cells)));
    if (r > 0.4) continue;
    now += std::hypot(p.x, p.y, p.z);
    before += r;
  }
  return now / before;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  double time = 0, size = 0;
  if (argv[1] == std::string_view("cells")) {
    const WrittenCells written = read_cells(argv[2]);
    time = written.time;
    size = size_of_gas(written);
  } else {
    const WrittenParticles written = read_particles(argv[2]);
    time = written.time;
    size = size_of_particles(written);
  }
  if (!(size > 0 && size < 1)) return 1;
  std::printf("radius: %.4f\n", size);
  std::printf("time to that in theory: %.4f\n", time / time_to(size, std::atof(argv[3])));
}
