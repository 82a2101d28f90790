// SPDX-License-Identifier: Apache-2.0
// The exact solution of the Riemann problem for the Euler equations of an ideal gas in one dimension: E. F.
// Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd ed. 2009, chapter 4. It shares no code
// with samr.
#pragma once

struct Gas1 {
  double density, velocity, pressure;
};

class ExactRiemann {
 public:
  /// Precondition: no vacuum arises.
  ExactRiemann(Gas1 left, Gas1 right, double heat_ratio);

  double star_pressure() const { return pressure_; }
  double star_velocity() const { return velocity_; }
  /// Returns the gas at (x - x of the jump) / time.
  Gas1 at(double speed) const;

 private:
  Gas1 beside_contact(const Gas1& side, double sign, double speed) const;

  Gas1 left_, right_;
  double g_;
  double pressure_ = 0, velocity_ = 0;
};
