// SPDX-License-Identifier: Apache-2.0
// Reads the particles that samr has written, for the programs beside it, which share only this format with
// samr.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct WrittenParticle {
  long id;
  double x, y, z, u, v, w, mass;
};

struct WrittenParticles {
  double time = 0;
  std::vector<WrittenParticle> particles;
};

/// Returns the particles; none if the file is wrong.
inline WrittenParticles read_particles(const char* path) {
  std::ifstream in(path);
  std::string line, word;
  WrittenParticles found;
  if (!(in >> word >> word >> found.time)) return {};
  std::getline(in, line);
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream words(line);
    WrittenParticle p{};
    if (!(words >> p.id >> p.x >> p.y >> p.z >> p.u >> p.v >> p.w >> p.mass)) return {};
    found.particles.push_back(p);
  }
  return found;
}
