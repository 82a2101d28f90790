// SPDX-License-Identifier: Apache-2.0
// check_direct FILE: the accelerations that barneshut wrote, against a direct sum over all pairs of bodies in
// long double, with none of barneshut's code:
//     a_i = sum of m_j (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2)
// It prints, with e_i = |a_i written - a_i direct|:
//     relative: square root of the mean of (e_i / |a_i|)^2
//     typical:  square root of the mean of e_i^2, over that of |a_i|^2
//     largest:  the largest e_i over the square root of the mean of |a_i|^2
//     potential: the error of the sum of m_i phi_i / 2, over it
//     force: the square root of the sum of m_i e_i^2: bounds the errors' part of momentum per time
//     half-mass radius: around the centre of mass, of equal masses
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using Real = long double;
using Vector = std::array<Real, 3>;

struct Body {
  Real mass, potential;
  Vector x, a;
};

static Real square(const Vector& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

static std::vector<Body> read(const char* path, Real& softening) {
  std::ifstream in(path);
  std::string line;
  std::size_t count = 0;
  in >> count;
  std::getline(in, line);
  std::getline(in, line);
  const std::size_t at = line.find("softening=");
  if (!in || at == std::string::npos) return {};
  softening = std::stold(line.substr(at + 10));
  std::vector<Body> bodies;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    Body body;
    Real id, v;
    words >> id >> body.mass >> body.x[0] >> body.x[1] >> body.x[2] >> v >> v >> v >> body.a[0] >>
        body.a[1] >> body.a[2] >> body.potential;
    if (!words) return {};
    bodies.push_back(body);
  }
  if (bodies.size() != count) bodies.clear();
  return bodies;
}

static Real half_mass_radius(const std::vector<Body>& bodies) {
  Vector centre{};
  for (const Body& body : bodies)
    for (std::size_t axis = 0; axis < 3; ++axis)
      centre[axis] += body.x[axis] / static_cast<Real>(bodies.size());
  std::vector<Real> radii;
  for (const Body& body : bodies)
    radii.push_back(std::sqrt(square({body.x[0] - centre[0], body.x[1] - centre[1], body.x[2] - centre[2]})));
  std::sort(radii.begin(), radii.end());
  return radii[radii.size() / 2];
}

int main(int argc, char** argv) {
  Real softening = 0;
  const std::vector<Body> bodies = argc == 2 ? read(argv[1], softening) : std::vector<Body>{};
  if (bodies.empty()) {
    std::fprintf(stderr, "check_direct: usage: check_direct FILE, which barneshut --write has written\n");
    return 2;
  }
  Real relative = 0, errors = 0, all = 0, largest = 0, energy = 0, direct_energy = 0, force = 0;
  for (const Body& one : bodies) {
    Vector a{};
    Real potential = 0;
    for (const Body& other : bodies) {
      if (&other == &one) continue;
      Vector d;
      for (std::size_t axis = 0; axis < 3; ++axis) d[axis] = other.x[axis] - one.x[axis];
      const Real r = std::sqrt(square(d) + softening * softening);
      potential -= other.mass / r;
      for (std::size_t axis = 0; axis < 3; ++axis) a[axis] += other.mass / (r * r * r) * d[axis];
    }
    const Real error = square({one.a[0] - a[0], one.a[1] - a[1], one.a[2] - a[2]});
    relative += error / square(a);
    errors += error;
    all += square(a);
    force += one.mass * error;
    largest = std::max(largest, error);
    energy += one.mass * one.potential / 2;
    direct_energy += one.mass * potential / 2;
  }
  const auto count = static_cast<Real>(bodies.size());
  std::printf("relative: %.3Le\ntypical: %.3Le\nlargest: %.3Le\n", std::sqrt(relative / count),
              std::sqrt(errors / all), std::sqrt(largest * count / all));
  std::printf("potential: %.3Le\nforce: %.3Le\n", std::abs(energy / direct_energy - 1), std::sqrt(force));
  std::printf("half-mass radius: %.6Lf\n", half_mass_radius(bodies));
}
