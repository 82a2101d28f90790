// SPDX-License-Identifier: Apache-2.0
// The Lennard-Jones potential, cut off and shifted so that it is zero there:
//     u(r) = 4 (r^-12 - r^-6) - u_c for r < r_c, else 0.
// In reduced units, as everything in this program: sigma, epsilon and the mass of an atom are 1 (Allen &
// Tildesley, Computer Simulation of Liquids, 2nd ed. 2017, section 1.3 and appendix B).
#pragma once

namespace moldyn {

class LennardJones {
 public:
  explicit LennardJones(double cutoff) : cutoff2_(cutoff * cutoff) { at_cutoff_ = at(cutoff2_).energy; }

  double cutoff2() const { return cutoff2_; }

  struct Value {
    double energy;
    double push;  ///< the force divided by the distance; positive values repel
  };
  /// Returns energy and push. Precondition: distance2, a squared distance, is less than cutoff2().
  Value operator()(double distance2) const {
    Value value = at(distance2);
    value.energy -= at_cutoff_;
    return value;
  }

 private:
  static Value at(double distance2) {
    const double r2 = 1 / distance2, r6 = r2 * r2 * r2;
    return {4 * r6 * (r6 - 1), 48 * r2 * r6 * (r6 - 0.5)};
  }

  double cutoff2_, at_cutoff_ = 0;
};

}  // namespace moldyn
