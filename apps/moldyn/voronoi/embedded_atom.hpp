// SPDX-License-Identifier: Apache-2.0
// A potential of metals, of the embedded-atom kind: the energy of atom i is
//     1/2 sum_j V(r_ij) - depth sqrt(rho_i), rho_i = sum_j phi(r_ij)
// with the square root of M. W. Finnis, J. E. Sinclair (Phil. Mag. A 50, 45, 1984). With u = 1/r^2 and u_c at
// the cutoff
//     V = u^4 (u - u_c)^2, phi = u (u - u_c)^2
// which fall as r^-12 and r^-6 near by, as in A. P. Sutton, J. Chen (Phil. Mag. Lett. 61, 139, 1990), and
// whose values and slopes are 0 at the cutoff. In reduced units, like everything in this program. With a
// cutoff of 2.5 the face-centred cubic crystal at rest has 1.12 atoms per volume.
#pragma once

#include <cmath>

namespace moldyn {

class EmbeddedAtom {
 public:
  explicit EmbeddedAtom(double cutoff) : cutoff2_(cutoff * cutoff), at_cutoff_(1 / cutoff2_) {}

  static constexpr double depth = 2.5;
  double cutoff2() const { return cutoff2_; }

  struct PairTerms {
    double repulsion;  ///< V
    double density;    ///< phi
  };
  /// Returns the terms of a pair. Precondition, also of push(): distance2, a squared distance, is less than
  /// cutoff2().
  PairTerms terms(double distance2) const {
    const double u = 1 / distance2, over = (u - at_cutoff_) * (u - at_cutoff_);
    return {u * u * u * u * over, u * over};
  }

  static double embedding(double density) { return -depth * std::sqrt(density); }
  /// Returns the derivative of embedding(); 0 for a lone atom, which exerts no force.
  static double embedding_slope(double density) {
    return density > 0 ? -depth / (2 * std::sqrt(density)) : 0;
  }

  /// Returns the force between two atoms divided by their distance; positive values repel. `slopes`: the sum
  /// of their embedding slopes.
  double push(double distance2, double slopes) const {
    const double u = 1 / distance2, over = u - at_cutoff_;
    return 2 * u * u * over * (2 * u * u * u * (3 * u - 2 * at_cutoff_) + slopes * (3 * u - at_cutoff_));
  }

 private:
  double cutoff2_, at_cutoff_;
};

}  // namespace moldyn
