// SPDX-License-Identifier: Apache-2.0
// check_forces FILE [metal]: the forces that moldyn wrote, against a direct sum over all pairs of atoms in
// long double, with none of moldyn's code. The force of the Lennard-Jones potential between two atoms at r =
// (x, y, z) is
//     F = 24 (2 / |r|^14 - 1 / |r|^8) r      for |r| below the cutoff c, the nearest images being taken.
// With `metal`: that of the potential of moldyn_voronoi, whose energy is the sum over all atoms of
//     1/2 sum V - 2.5 sqrt(sum phi), V = r^-8 (r^-2 - c^-2)^2, phi = r^-2 (r^-2 - c^-2)^2
// so that with q = r^-2 - c^-2
//     F = -(V' + (f_i + f_j) phi') r/|r|, f = -1.25 / sqrt(sum phi)
//     V' = -8 |r|^-9 q^2 - 4 |r|^-11 q, phi' = -2 |r|^-3 q^2 - 4 |r|^-5 q.
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

/// Calls f(j, r, |r|^2) for all atoms j within the cutoff of atom i.
template <class F>
static void for_each_around(const Frame& frame, std::size_t i, F f) {
  for (std::size_t j = 0; j < frame.places.size(); ++j) {
    if (j == i) continue;
    Vector r;
    Real r2 = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      r[axis] = frame.places[i][axis] - frame.places[j][axis];
      r[axis] -= frame.box[axis] * std::round(r[axis] / frame.box[axis]);
      r2 += r[axis] * r[axis];
    }
    if (r2 < frame.cutoff * frame.cutoff) f(j, r, r2);
  }
}

static void add(Vector& sum, Real factor, const Vector& r) {
  for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += factor * r[axis];
}

static Vector lennard_jones(const Frame& frame, std::size_t i) {
  Vector sum{};
  for_each_around(frame, i, [&](std::size_t, const Vector& r, Real r2) {
    const Real r8 = r2 * r2 * r2 * r2;
    add(sum, 24 * (2 / (r8 * r2 * r2 * r2) - 1 / r8), r);
  });
  return sum;
}

/// Returns the slope f of each atom.
static std::vector<Real> embedding_slopes(const Frame& frame) {
  std::vector<Real> slopes;
  for (std::size_t i = 0; i < frame.places.size(); ++i) {
    Real density = 0;
    for_each_around(frame, i, [&](std::size_t, const Vector&, Real r2) {
      const Real q = 1 / r2 - 1 / (frame.cutoff * frame.cutoff);
      density += q * q / r2;
    });
    slopes.push_back(density > 0 ? -1.25L / std::sqrt(density) : 0);
  }
  return slopes;
}

static Vector metal(const Frame& frame, const std::vector<Real>& slopes, std::size_t i) {
  Vector sum{};
  for_each_around(frame, i, [&](std::size_t j, const Vector& r, Real r2) {
    const Real q = 1 / r2 - 1 / (frame.cutoff * frame.cutoff), d = std::sqrt(r2);
    const Real repulsion = -8 * std::pow(d, -9) * q * q - 4 * std::pow(d, -11) * q;
    const Real density = -2 * std::pow(d, -3) * q * q - 4 * std::pow(d, -5) * q;
    add(sum, -(repulsion + (slopes[i] + slopes[j]) * density) / d, r);
  });
  return sum;
}

int main(int argc, char** argv) {
  Frame frame;
  const bool is_metal = argc == 3 && argv[2] == std::string("metal");
  if ((argc != 2 && !is_metal) || !read(argv[1], frame)) {
    std::fprintf(stderr,
                 "usage: check_forces FILE [metal], one that moldyn --write made, or moldyn_voronoi\n");
    return 2;
  }
  const std::vector<Real> slopes = is_metal ? embedding_slopes(frame) : std::vector<Real>();
  Real largest = 0, error = 0;
  for (std::size_t i = 0; i < frame.places.size(); ++i) {
    const Vector expected = is_metal ? metal(frame, slopes, i) : lennard_jones(frame, i);
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
