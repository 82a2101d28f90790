// SPDX-License-Identifier: Apache-2.0
// Tells what becomes of the nodes: one element, which stays on PE 0.
#pragma once

#include <skein/skein.hpp>
#include <string>
#include <vector>

#include "apps/dislocations/totals.hpp"

namespace dislocations {

class Cell;

/// What a cell says at an interval, and what all make together.
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
  /// `file`: for the segments at the end; empty: none.
  Director(const Parameters& parameters, const std::string& file)
      : parameters_(parameters), file_(file), report_(parameters) {
    pin();
  }

  void begin(skein::Array<Cell> cells);
  void report(const Interval& interval);
  void write(std::vector<Node> nodes);

 private:
  Parameters parameters_;
  std::string file_;
  skein::Array<Cell> cells_;
  Report report_;
};

}  // namespace dislocations
