// SPDX-License-Identifier: Apache-2.0
// check_forces FILE: the forces that moldyn wrote, against a direct sum over all pairs of atoms in long
// double, with none of moldyn's code. The force of the Lennard-Jones potential between two atoms at r = (x,
// y, z) is
//     F = 24 (2 / |r|^14 - 1 / |r|^8) r      for |r| below the cutoff, the nearest images being taken.
// Rounding: moldyn's places have 16 digits and a force is a sum of at most some hundred terms, each below the
// largest; so 1e-11 of the largest force is far above rounding and far below one missing pair.
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using Real = long double;
using Vector = std::array<Real, 3>;

struct Frame {
  Vector box{};
  Real cutoff = 0;
  std::vector<Vector> places, forces;
};

static bool read(const char* path, Frame& frame) {
  std::ifstream in(path);
  std::size_t count = 0;
  std::string line, word;
  if (!(in >> count) || !std::getline(in, line) || !std::getline(in, line)) return false;
  if (std::sscanf(line.c_str(), "Lattice=\"%Lf 0 0 0 %Lf 0 0 0 %Lf\"", &frame.box[0], &frame.box[1],
                  &frame.box[2]) != 3)
    return false;
  const std::size_t at = line.find("cutoff=");
  if (at == std::string::npos) return false;
  frame.cutoff = std::stold(line.substr(at + 7));
  while (std::getline(in, line)) {
    std::istringstream words(line);
    Vector place, velocity, force;
    words >> word >> word;
    for (Vector* vector : {&place, &velocity, &force})
      for (Real& value : *vector) words >> value;
    if (!words) return false;
    frame.places.push_back(place);
    frame.forces.push_back(force);
  }
  return frame.places.size() == count;
}

static Vector direct_sum(const Frame& frame, std::size_t i) {
  Vector sum{};
  for (std::size_t j = 0; j < frame.places.size(); ++j) {
    if (j == i) continue;
    Vector r;
    Real r2 = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      r[axis] = frame.places[i][axis] - frame.places[j][axis];
      r[axis] -= frame.box[axis] * std::round(r[axis] / frame.box[axis]);
      r2 += r[axis] * r[axis];
    }
    if (r2 >= frame.cutoff * frame.cutoff) continue;
    const Real r8 = r2 * r2 * r2 * r2, factor = 24 * (2 / (r8 * r2 * r2 * r2) - 1 / r8);
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += factor * r[axis];
  }
  return sum;
}

int main(int argc, char** argv) {
  Frame frame;
  if (argc != 2 || !read(argv[1], frame)) {
    std::fprintf(stderr, "usage: check_forces FILE, one that moldyn --write made\n");
    return 2;
  }
  Real largest = 0, error = 0;
  for (std::size_t i = 0; i < frame.places.size(); ++i) {
    const Vector expected = direct_sum(frame, i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      largest = std::max(largest, std::fabs(expected[axis]));
      error = std::max(error, std::fabs(expected[axis] - frame.forces[i][axis]));
    }
  }
  std::printf("%zu atoms, largest force %.6Lg, largest error %.2Le\n", frame.places.size(), largest, error);
  if (frame.places.empty() || largest < 1 || !(error <= 1e-11L * largest)) {
    std::fprintf(stderr, "FAILED: the forces are not those of a direct sum\n");
    return 1;
  }
  return 0;
}
