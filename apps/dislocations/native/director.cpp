// SPDX-License-Identifier: Apache-2.0
#include "director.hpp"

#include <algorithm>

#include "cell.hpp"

namespace dislocations {

void AddIntervals::operator()(Interval& into, const Interval& with) const {
  into.totals += with.totals;
  into.step = std::max(into.step, with.step);
}

void Director::begin(skein::Array<Cell> cells) {
  cells_ = cells;
  report_.begin();
}

void Director::report(const Interval& interval) {
  report_.interval(static_cast<int>(interval.step), interval.totals);
  if (interval.step < parameters_.steps) return;
  report_.end(interval.totals);
  if (!file_.empty()) cells_.broadcast<&Cell::give_nodes>();
}

void Director::write(std::vector<Node> nodes) { write_segments(file_, parameters_.box, std::move(nodes)); }

}  // namespace dislocations
