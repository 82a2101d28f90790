// SPDX-License-Identifier: Apache-2.0
// The element that starts the others and reports results, for native programs of many elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <skein/skein.hpp>
#include <string>
#include <utility>
#include <vector>

namespace apps {

/// The contribution of an element at an interval, or of all elements together.
template <class Totals>
struct Interval {
  Totals totals;
  std::int64_t step = 0;
};

struct AddIntervals {
  template <class Totals>
  void operator()(Interval<Totals>& into, const Interval<Totals>& with) const {
    into.totals += with.totals;
    into.step = std::max(into.step, with.step);
  }
};
inline constexpr AddIntervals add_intervals;

/// Directs the elements from PE 0. `Element` has give_all(), which contributes its parts, and write(file,
/// parameters, parts).
template <class Element, class Parameters, class Report, class Totals, class Part>
class Director : public skein::Chare<Director<Element, Parameters, Report, Totals, Part>, skein::Index1> {
 public:
  /// `file`: for all parts at the end; empty: none.
  Director(const Parameters& parameters, const std::string& file)
      : parameters_(parameters), file_(file), report_(parameters) {
    this->pin();
  }

  void begin(skein::Array<Element> elements) {
    elements_ = elements;
    report_.begin();
  }
  void report(const Interval<Totals>& interval) {
    report_.interval(static_cast<int>(interval.step), interval.totals);
    if (interval.step < parameters_.steps) return;
    report_.end(interval.totals);
    if (!file_.empty()) elements_.template broadcast<&Element::give_all>();
  }
  void write(std::vector<Part> parts) { Element::write(file_, parameters_, std::move(parts)); }

 private:
  Parameters parameters_;
  std::string file_;
  skein::Array<Element> elements_;
  Report report_;
};

}  // namespace apps
