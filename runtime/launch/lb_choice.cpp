// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/lb_choice.hpp"

#include "runtime/base/error.hpp"
#include "skein/lb/load_model.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::launch {

LbChoice parse_lb(const RunOptions& run) {
  if (run.lb.empty() || run.lb == "none") return {};
  try {
    const std::optional<lb::AutoOptions> automatic = lb::parse_auto(run.lb);
    if (automatic) return {automatic, std::nullopt};
    return {std::nullopt, lb::parse_strategy(run.lb)};
  } catch (const lb::StrategyError& error) {
    throw Error(format("--lb: %s", error.what()));
  }
}

std::string why_no_team(const RunOptions& run) {
  const LbChoice choice = parse_lb(run);
  const std::string strategy = "--lb " + run.lb + " ";
  if (!choice.strategy)
    return strategy + "decides on one PE; those that several can decide together are " +
           lb::parallel_strategies();
  if (const std::string why = lb::why_not_parallel(*choice.strategy->info); !why.empty())
    return strategy + why;
  if (!lb::parse_load_model(run.lb_model).changes_nothing())
    return "--lb-model looks at what all objects took before";
  if (!run.lb_dump.empty()) return "--lb-dump writes snapshots of all objects, which none of them has";
  if (run.lb_period.unit == LbPeriod::Unit::automatic) return "--lb-period auto looks at all objects";
  return "";
}

}  // namespace skein::launch
