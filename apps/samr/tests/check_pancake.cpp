// SPDX-License-Identifier: Apache-2.0
// check_pancake FILE CELLS AMPLITUDE: prints the distance of the particles that samr wrote from Zel'dovich's
// pancake, in parts of their way. In a space that does not expand, and until particles meet, a particle that
// began at rest at q + s(q) is at q + s(q) cosh(t) if 4 pi G and the mean density are 1: the mass between it
// and a wall is always the same, so that the pull on it is its displacement.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "particles.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const WrittenParticles written = read_particles(argv[1]);
  const long cells = std::atol(argv[2]);
  const double amplitude = std::atof(argv[3]);
  if (written.particles.empty() || amplitude * std::cosh(written.time) >= 1) return 2;  // they have met
  double wrong = 0, gone = 0;
  for (const WrittenParticle& p : written.particles) {
    const double q = (static_cast<double>(p.id % cells) + 0.5) / static_cast<double>(cells);
    const double shift = amplitude / std::numbers::pi * std::sin(std::numbers::pi * q);
    wrong += std::pow(p.x - q - shift * std::cosh(written.time), 2);
    gone += std::pow(shift * (std::cosh(written.time) - 1), 2);
  }
  std::printf("density at the wall: %.3f\n", 1 / (1 - amplitude * std::cosh(written.time)));
  std::printf("error: %.5f\n", std::sqrt(wrong / gone));
}
