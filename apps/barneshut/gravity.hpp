// SPDX-License-Identifier: Apache-2.0
// The attraction of a tree: J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm",
// Nature 324, 446 (1986).
#pragma once

#include "tree.hpp"

namespace barneshut {

/// A plain struct.
struct Gravity {
  double theta = 0.7;      ///< a cell counts as a whole where its side is below theta times its distance
  double softening = 0;    ///< potential -m / sqrt(r^2 + softening^2); Aarseth, MNRAS 126, 223 (1963)
  bool quadrupole = true;  ///< of cells; false: only their mass

  /// Returns true if a cell of this side counts as a whole at this square of the distance of its centre of
  /// mass.
  bool accepts(double side, double distance2) const { return side * side < theta * theta * distance2; }
};

/// The effect of a tree on a body.
struct Attraction {
  Vec3 a;
  double potential = 0;
  std::uint64_t interactions = 0;
};

/// Returns the attraction of all bodies in the tree but the body itself. A cell that contains the body never
/// counts as a whole: with theta above 1 / sqrt(3) the original criterion alone would allow that (J. K.
/// Salmon, M. S. Warren, "Skeletons from the treecode closet", J. Comp. Phys. 111, 136, 1994). Terms are
/// added in the order of the tree. Throws std::logic_error if a closed node would have to be opened:
/// essential() has left out too much.
Attraction attraction(const Gravity& gravity, const Tree& tree, const Body& body);

/// Returns the nodes that attraction() uses for the body, in the order of the tree: cells that count as a
/// whole, and leaves with whose bodies it interacts one by one.
std::vector<const Node*> interactions(const Gravity& gravity, const Tree& tree, const Body& body);

}  // namespace barneshut
