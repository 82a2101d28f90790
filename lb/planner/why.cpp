// SPDX-License-Identifier: Apache-2.0
#include "lb/planner/why.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace skein::lb {
namespace {

std::string seconds_text(double s) {
  const char* unit = "s";
  if (s < 0.9995e-3)
    s *= 1e6, unit = "us";
  else if (s < 0.9995)
    s *= 1e3, unit = "ms";
  char text[40];
  std::snprintf(text, sizeof text, "%.*f %s", s < 9.95 ? 1 : 0, s, unit);
  return text;
}

/// "PE 3 took 38 % more than the mean over 12 sync points"; or over 1.2 s, where none were counted.
std::string found(const FinishTimes& before, const Interval& interval) {
  const auto fullest = std::ranges::max_element(before.of_pe) - before.of_pe.begin();
  char text[120];
  std::snprintf(text, sizeof text, " took %.0f %% more than the mean over ", before.imbalance_percent());
  const std::string points =
      std::to_string(interval.points) + (interval.points == 1 ? " sync point" : " sync points");
  return (before.of_pe.size() > 1 ? "PE " + std::to_string(fullest) : std::string("the fullest PE")) + text +
         (interval.points == 0 ? seconds_text(interval.length_s) : points);
}

double cost_of(const Prediction& row) { return row.decision_s + row.movement_s; }

/// What a row gains over `none`, its costs not taken off.
double gain_of(const Choice& choice, const Prediction& row) {
  return choice.rows[0].total_s - row.total_s + cost_of(row);
}

/// "costs 4.0 ms and will gain about 200 ms".
std::string weighed(const Choice& choice, const Prediction& row, const char* costs, const char* gains) {
  return costs + seconds_text(cost_of(row)) + gains + seconds_text(gain_of(choice, row));
}

std::string why_chosen(const StepPlan& plan, const Choice& choice) {
  const Prediction& row = choice.row();
  if (!plan.moves) {
    const auto best =
        std::ranges::min_element(choice.rows.begin() + 1, choice.rows.end(), {}, &Prediction::total_s);
    if (best == choice.rows.end() || gain_of(choice, *best) <= 0) return "no strategy gains anything";
    return best->strategy + weighed(choice, *best, " would cost ", " and gain about ");
  }
  if (gain_of(choice, row) <= cost_of(row))
    return "nothing gains more than it costs, but another placement may have PEs wait less for each other";
  return "the step" + weighed(choice, row, " costs ", " and will gain about ");
}

}  // namespace

std::string why(const StepPlan& plan, const Interval& interval, const Choice& choice, bool only_measured) {
  const std::string head = found(plan.before, interval) + "; ";
  if (only_measured) return head + "that is the program's beginning, by which nothing is moved";
  if (choice.rows.size() > 1) return head + why_chosen(plan, choice);
  return head + (plan.moves ? plan.strategy + " levels it" : "nothing better was found by " + plan.strategy);
}

}  // namespace skein::lb
