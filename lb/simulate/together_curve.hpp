// SPDX-License-Identifier: Apache-2.0
// TogetherCosts (skein/lb/platform.hpp) as the terms of a curve: the time in ns of deciding by the number of
// PEs that decide together; its work is the number of objects, PEs and edges. Only this file maps members to
// terms.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "skein/lb/curve.hpp"
#include "skein/lb/platform.hpp"

namespace skein::simulate {

inline constexpr std::pair<lb::Term, std::map<std::string, double> TogetherCosts::*> kTogetherTerms[] = {
    {lb::Term::share, &TogetherCosts::element_ns},
    {lb::Term::constant, &TogetherCosts::ns},
    {lb::Term::tree, &TogetherCosts::level_ns},
    {lb::Term::row, &TogetherCosts::pe_ns}};

/// Returns the curve of a strategy; zero if nothing is known of it.
inline lb::Curve together_curve(const TogetherCosts& costs, std::string_view strategy) {
  const std::string name(strategy);
  std::vector<lb::Curve::Part> parts;
  for (const auto& [term, member] : kTogetherTerms)
    if (const auto found = (costs.*member).find(name); found != (costs.*member).end() && found->second > 0)
      parts.push_back({term, found->second});
  return lb::Curve(std::move(parts));
}

inline void set_together_curve(TogetherCosts& costs, const std::string& strategy, const lb::Curve& curve) {
  for (const lb::Curve::Part& part : curve.parts())
    for (const auto& [term, member] : kTogetherTerms)
      if (term == part.term) (costs.*member)[strategy] = part.seconds;
}

}  // namespace skein::simulate
