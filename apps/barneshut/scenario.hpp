// SPDX-License-Identifier: Apache-2.0
// The bodies at the start.
#pragma once

#include <vector>

#include "parameters.hpp"

namespace barneshut {

/// Returns all bodies, in_key_order(), with the whole at rest around the origin; sets `parameters.rules.root`
/// if it is not given. Equal on every process.
///
/// Plummer spheres are sampled as in S. J. Aarseth, M. Henon, R. Wielen, "A comparison of numerical methods
/// for the study of star cluster dynamics", A&A 37, 183 (1974), without the thousandth of the mass that is
/// farthest out. A single sphere has mass 1 and energy -1/4, so its scale length is 3 pi / 16 (D. C. Heggie,
/// R. D. Mathieu, 1986). Two spheres have half the mass each and the same scale length. Throws
/// std::runtime_error if a body is outside of the root.
std::vector<Body> initial_bodies(Parameters& parameters);

/// Returns the pieces of these bodies.
std::vector<Octant> initial_pieces(const Parameters& parameters, const std::vector<Body>& bodies);

/// Sets the body's key. Throws std::runtime_error if the body is outside of the root, or its place is no
/// number.
void locate(const Root& root, Body& body);

}  // namespace barneshut
