// SPDX-License-Identifier: Apache-2.0
#include "runtime/advisor/team_judge.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

#include "runtime/advisor/couple.hpp"
#include "skein/lb/model.hpp"
#include "skein/lb/strategy.hpp"
#include "skein/lb/team_messages.hpp"

namespace skein::advisor {
namespace {

std::vector<Advice> for_members(const Advice& advice, const Part& part, const lb::Assignment& pe_of) {
  std::vector<Advice> each;
  for (std::size_t k = 0; k + 1 < part.first.size(); ++k)
    each.push_back(with_places(advice, pe_of, part.first[k], part.first[k + 1]));
  return each;
}

/// Returns a text like "2 processes decided together, about 12 and 0 elements".
std::string told_of(const lb::SnapshotPart& part) {
  const std::size_t processes = part.first.size() - 1;
  std::string text = std::to_string(processes) + " processes decided together, about ";
  for (std::size_t p = 0; p < processes; ++p)
    text += (p == 0              ? ""
             : p + 1 < processes ? ", "
                                 : " and ") +
            std::to_string(part.first[p + 1] - part.first[p]);
  return text + " elements\n";
}

}  // namespace

std::string why_not_together(const std::string& strategy) {
  if (strategy.empty())
    return "the model chooses among strategies with all elements before it, on one; name one "
           "(AdvisorOptions::strategy) that several can decide by: " +
           lb::parallel_strategies();
  try {
    const std::string why = lb::why_not_parallel(*lb::parse_strategy(strategy).info);
    return why.empty() ? why : "strategy '" + strategy + "' " + why;
  } catch (const std::exception& error) {
    return error.what();  // a lone decider will answer with this error
  }
}

/// Returns the time of the moves, like that of a whole snapshot (skein/lb/cost.hpp).
double TeamJudge::movement_seconds(const lb::SnapshotPart& part, const lb::Assignment& pe_of,
                                   lb::Team& team) const {
  std::vector<double> busy(part.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    if (pe_of[i] == part.objects.pe[i]) continue;
    const double seconds = cost_.object_s + static_cast<double>(part.objects.bytes[i]) * cost_.byte_s;
    busy[part.objects.pe[i]] += seconds;
    busy[pe_of[i]] += seconds;
  }
  const bool any = lb::any(pe_of != part.objects.pe, team);
  team.sum(busy);
  return any ? std::ranges::max(busy) + cost_.rebuild_s : 0;
}

std::vector<Advice> TeamJudge::judge(const ToldHere& here, std::size_t members, std::uint64_t steps,
                                     lb::Team& team) {
  const double started = clock_();
  Part part = make_part(here, members, team);
  steps_measured_ += steps;
  Advice advice = staying(part.modelled, part.measured);
  lb::StepPlan plan = lb::plan_of("none", part.snapshot, part.snapshot.objects.pe, team);
  if (part.snapshot.first.back() > 0) {
    lb::StepPlan asked =
        lb::decide_in_team(lb::parse_strategy(options_.strategy), part.snapshot, options_.seed, team);
    const double intervals =
        (options_.horizon_steps > 0 ? options_.horizon_steps : static_cast<double>(steps_measured_)) /
        static_cast<double>(std::max<std::uint64_t>(steps, 1));
    // The present placement, and the one decided.
    lb::Choice choice;
    choice.rows = {
        {.strategy = "none", .step_s = asked.before.largest(), .worked_out = true},
        {.strategy = asked.strategy,
         .decision_s = lb::largest(clock_() - started, team),
         .movement_s = movement_seconds(part.snapshot, asked.decision.pe_of, team) + cost_.meeting_s,
         .step_s = asked.after.largest(),
         .worked_out = true}};
    for (lb::Prediction& row : choice.rows)
      row.total_s = row.decision_s + row.movement_s + intervals * row.step_s;
    choice.chosen = asked.moves && choice.rows[1].total_s < choice.rows[0].total_s;
    advice.balance = choice.chosen == 1;
    advice.strategy = choice.row().strategy;
    advice.gain_s = choice.gain_s();
    advice.table = lb::describe(choice) + told_of(part.snapshot);
    if (advice.balance) {
      advice.imbalance_after_percent = asked.after.imbalance_percent();
      movement_predicted_ = choice.rows[1].movement_s - cost_.meeting_s;
      plan = std::move(asked);
    }
  }
  std::vector<Advice> each = for_members(advice, part, plan.decision.pe_of);
  then_ = std::move(part);
  steps_then_ = steps;
  decided_ = std::move(plan);
  advice_ = std::move(advice);
  return each;
}

std::vector<Advice> TeamJudge::apply_late(const ToldHere& here, std::size_t members, std::uint64_t steps,
                                          lb::Team& team) {
  const Part now = make_part(here, members, team);
  scale_loads(then_.snapshot.objects.load, steps_then_, steps);
  steps_then_ = steps;
  const lb::LatePlan late = lb::apply_late_in_team(then_.snapshot, decided_, now.snapshot, team);
  const Advice advice =
      late_advice(staying(now.modelled, now.measured), advice_, late.drift, late.dropped, late.plan.moves);
  const lb::Assignment& pe_of = late.plan.decision.pe_of;
  movement_predicted_ = advice.balance ? movement_seconds(now.snapshot, pe_of, team) : 0;
  return for_members(advice, now, pe_of);
}

void TeamJudge::moved(double seconds, lb::Team& team) {
  const double slowest = lb::largest(seconds, team);
  if (slowest > 0) lb::correct_movement(cost_, std::exchange(movement_predicted_, 0.0), slowest);
}

}  // namespace skein::advisor
