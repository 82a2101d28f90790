// SPDX-License-Identifier: Apache-2.0
// Point-centred domains: each process has a centre c and a bias b, and an atom at x belongs to the process
// with the least |x - c|^2 - b (R. Koradi, M. Billeter, P. Guentert, Comput. Phys. Commun. 124, 2000). With
// equal biases these are Voronoi's cells, as in ddcMD.
#pragma once

#include <span>
#include <vector>

#include "apps/moldyn/parameters.hpp"

namespace moldyn {

struct Centre {
  Vec3 at;
  double bias = 0;

  double measure(const Vec3& x) const { return dot(x - at, x - at) - bias; }
};

/// The placement of centres at the start: on a grid across and along the wire, disturbed.
struct Placement {
  int across = 1, along = 1;
  double frame = 0;   ///< 0: the grid fills the wire's box; 1: the whole box, void included; linear between
  double skew = 1;    ///< a centre at fraction t of the length is put at t^skew
  double jitter = 0;  ///< each centre is moved by up to so many spacings in each direction
};
/// Returns across x along centres.
std::vector<Centre> placed_centres(const Placement& placement, const Parameters& parameters);

/// Returns the process that owns the place, of the candidates, which ascend: the first of equals.
int owner_of(std::span<const Centre> centres, std::span<const int> candidates, const Vec3& x);

/// Returns, ascending, the processes that may own places now owned by p within `radius` of its centre.
std::vector<int> candidates_near(std::span<const Centre> centres, int p, double radius);

/// Returns the neighbours of process p, ascending: those q for which no other centre lies in the ball with
/// the diameter from p to q (K. R. Gabriel, R. R. Sokal, Syst. Zool. 18, 1969), which all share a wall with
/// p.
std::vector<int> neighbours_of(std::span<const Centre> centres, int p);

}  // namespace moldyn
