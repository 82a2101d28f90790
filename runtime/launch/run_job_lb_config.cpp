// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/run_job.hpp"

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/launch/option_values.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::launch {
namespace {

constexpr std::uint64_t kDefaultPoints = 20;

/// Returns the period. `any_collective`: each collective is a sync point, so that their number tells nothing.
lb::Period period_of(const RunOptions& run, bool any_collective) {
  switch (run.lb_period.unit) {
    case LbPeriod::Unit::points:
      if (run.lb_period.count > 0) return {.points = run.lb_period.count};
      if (any_collective && !run.lb_mode.is_lazy() && run.lb_mode.deciding_pes <= 1)
        return {.automatic = true};
      return {.points = kDefaultPoints};
    case LbPeriod::Unit::seconds:
      return {.seconds = run.lb_period.seconds};
    case LbPeriod::Unit::automatic:
      return {.automatic = true};
  }
  return {};
}

/// How often PEs ask whether a state is wanted, or another number of PEs.
constexpr double kMostUntilAskedS = 1;

double between_states_s(const RunOptions& run) {
  const double in_files = run.checkpoint.folder.empty() ? kMostPeriodSeconds : run.checkpoint.every_s;
  return std::min({in_files, run.survive.on ? run.survive.every_s : in_files, kMostUntilAskedS});
}

std::string program_line(const RunOptions& run) {
  std::string text = run.program;
  for (const std::string& word : run.args) text += " " + word;
  return text;
}

std::string command_line(const RunOptions& run) {
  std::string text = "skein run";
  for (const std::string& option : run.given) text += " " + option;
  return text + " " + program_line(run);
}

/// Returns the period of a strategy that has a step at each sync point.
lb::Period every_point(const RunOptions& run) {
  for (const std::string& option : run.given)
    if (option.starts_with("--lb-period="))
      throw Error(
          format("--lb %s has an LB step at each sync point: leave out %s", run.lb.c_str(), option.c_str()));
  return {.points = 1};
}

lb::Period step_period(const RunOptions& run, const balance::StepConfig& config, bool any_collective) {
  if (config.strategy && config.strategy->acts_at_every_point()) return every_point(run);
  if (config.has_steps()) return period_of(run, any_collective);
  return saves(run) ? lb::Period{.seconds = between_states_s(run)} : lb::Period{};
}
bool is_agreed(const lb::Period& period) { return period.automatic || period.seconds > 0; }

/// The strategy, or the options of --lb auto; neither if nothing is to be balanced.
struct LbChoice {
  std::optional<lb::AutoOptions> automatic;
  std::optional<lb::Selection> strategy;
};

/// Parses --lb. Throws skein::Error for a strategy that does not exist.
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

/// Returns why no two PEs can decide together in this job; empty if they can: by a parallel strategy, and
/// without anything that looks at all objects at once.
std::string why_no_team(const RunOptions& run) {
  const LbChoice choice = parse_lb(run);
  const std::string strategy = "--lb " + run.lb + " ";
  if (!choice.strategy)
    return strategy + "decides on one PE; those that several can decide together are " +
           lb::parallel_strategies();
  if (choice.strategy->by_level) return strategy + "decides level by level, on one PE";
  if (const std::string why = lb::why_not_parallel(*choice.strategy->info); !why.empty())
    return strategy + why;
  if (!lb::parse_load_model(run.lb_model).changes_nothing())
    return "--lb-model looks at what all objects took before";
  if (!run.lb_dump.empty()) return "--lb-dump writes snapshots of all objects, which none of them has";
  if (run.lb_period.unit == LbPeriod::Unit::automatic) return "--lb-period auto looks at all objects";
  return "";
}

/// Checks that the strategy fits the mode.
void check_mode(const RunOptions& run, const balance::StepConfig& config) {
  if (run.lb_mode.deciding_pes > 1 && config.balances())
    if (const std::string why = why_no_team(run); !why.empty())
      throw Error(format("skein run: %s: %d PEs are to decide together, and %s: use pes=1",
                         named_by(run, "--lb-mode").c_str(), run.lb_mode.deciding_pes, why.c_str()));
  if (!run.lb_mode.is_lazy() || !config.balances()) return;
  if (run.lb_period.unit != LbPeriod::Unit::points)
    throw Error(format("skein run: %s: lazy mode counts sync points: give a number of them as --lb-period",
                       named_by(run, "--lb-mode").c_str()));
  if (run.lb_mode.thread && lb::may_call_mpi(run.lb))
    throw Error(
        format("skein run: %s: --lb %s may call MPI, but the thread beside a PE that computes cannot: use "
               "lazy:pes=1 or decoupled, or another strategy",
               named_by(run, "--lb-mode").c_str(), run.lb.c_str()));
}

}  // namespace

bool decides_by_mpi_on_a_thread(const RunOptions& run) {
  return run.lb_mode.is_lazy() && !run.lb_mode.thread &&
         (run.lb_mode.deciding_pes > 1 || lb::may_call_mpi(run.lb));
}

bool may_come_to_that(const RunOptions& run) {
  return run.learn_mode && run.pes > 1 && run.lb_period.unit == LbPeriod::Unit::points &&
         lb::may_call_mpi(run.lb);
}

balance::StepConfig step_config(const RunOptions& run, const char* obstacle, bool any_collective,
                                bool later) {
  balance::StepConfig config;
  const LbChoice choice = parse_lb(run);
  config.automatic = choice.automatic;
  config.strategy = choice.strategy;
  config.mode = run.lb_mode;
  config.learns_mode = run.learn_mode;
  check_mode(run, config);
  config.seed = run.seed;
  config.load_model = lb::parse_load_model(run.lb_model);
  config.report_file = run.lb_report;
  config.records = !run.trace.file.empty();
  config.command = command_line(run);
  config.program = program_line(run);
  config.dump_file = run.lb_dump;
  config.pe_speeds = run.pe_speeds;
  config.memory_bytes = run.lb_memory_bytes;
  config.cannot_move = obstacle;
  const bool any_now = any_collective && !later;
  config.period = step_period(run, config, any_now);
  config.agrees = (any_now || !config.has_steps()) && is_agreed(config.period);
  if (const lb::Period any = step_period(run, config, any_collective);
      later && !config.agrees && is_agreed(any))
    config.agrees_later = any;
  return config;
}

}  // namespace skein::launch
