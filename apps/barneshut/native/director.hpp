// SPDX-License-Identifier: Apache-2.0
// Tells what becomes of the bodies: one element, which stays on PE 0.
#pragma once

#include <skein/skein.hpp>
#include <string>
#include <vector>

#include "apps/barneshut/totals.hpp"

namespace barneshut {

class TreePiece;

/// What a piece says at an interval, and what all make together.
struct Interval {
  Totals totals;
  std::int64_t step = 0;
};

struct AddIntervals {
  void operator()(Interval& into, const Interval& with) const;
};
inline constexpr AddIntervals add_intervals;

class Director : public skein::Chare<Director, skein::Index1> {
 public:
  /// `file`: for the bodies at the end; empty: none.
  Director(const Parameters& parameters, const std::string& file)
      : parameters_(parameters), file_(file), report_(parameters) {
    pin();
  }

  void begin(skein::Array<TreePiece> pieces);
  void report(const Interval& interval);
  void write(std::vector<Body> bodies);

 private:
  Parameters parameters_;
  std::string file_;
  skein::Array<TreePiece> pieces_;
  Report report_;
};

}  // namespace barneshut
