// SPDX-License-Identifier: Apache-2.0
// The growth of a strategy's time: the exponent of the power of objects, or of PEs, that fits best.
#pragma once
#include <span>

#include "skein/lb/strategy.hpp"

namespace bench {

struct Point {
  double x;
  double y;
};

// Returns the slope of log y over log x, by least squares.
double fitted_exponent(std::span<const Point> points);

struct Growth {
  double with_objects;  // 16,384 to 262,144 objects on 512 PEs
  double with_pes;      // 65,536 objects on 64 to 4,096 PEs
};
// Returns the growth of count log count over the same counts: a strategy that grows no faster has no greater
// exponent.
Growth n_log_n();
Growth measure_growth(const skein::lb::Selection& selection, int repeats);

}  // namespace bench
