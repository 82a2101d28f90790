// SPDX-License-Identifier: Apache-2.0
// How long a parallel strategy decides on m processes, a curve, since no machine here has that many:
//
//     g(m) = a w / m + c m        a: a calibrated serial strategy's time for an element, w: elements
//
// c is such that for w = 265,000 it is least at m = 2,048, which is what O. Pearce et al. (skein/lb/mode.hpp)
// found of a parallel graph partitioner.
#pragma once

namespace bench_lazy {

inline double decision_s(double element_ns, double elements, double processes) {
  constexpr double vertices = 265'000, fastest = 2048;
  const double a = 1e-9 * element_ns;
  return a * elements / processes + a * vertices / (fastest * fastest) * processes;
}

}  // namespace bench_lazy
