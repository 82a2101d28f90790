// SPDX-License-Identifier: Apache-2.0
#include "director.hpp"

#include <algorithm>

#include "tree_piece.hpp"

namespace barneshut {

void AddIntervals::operator()(Interval& into, const Interval& with) const {
  into.totals = into.totals + with.totals;
  into.step = std::max(into.step, with.step);
}

void Director::begin(skein::Array<TreePiece> pieces) {
  pieces_ = pieces;
  report_.begin();
}

void Director::report(const Interval& interval) {
  report_.interval(static_cast<int>(interval.step), interval.totals);
  if (interval.step < parameters_.steps) return;
  report_.end(interval.totals);
  if (!file_.empty()) pieces_.broadcast<&TreePiece::give_bodies>();
}

void Director::write(std::vector<Body> bodies) { write_bodies(file_, parameters_, std::move(bodies)); }

}  // namespace barneshut
