// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tune_trials.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "runtime/base/error.hpp"
#include "runtime/tools/output.hpp"
#include "skein/lb/best_steps.hpp"
#include "skein/lb/coarsen.hpp"
#include "skein/lb/model.hpp"

namespace skein::tools {
namespace {

/// The largest number of sync points x ranks of a run whose loads are examined one by one.
constexpr std::uint64_t kMostLoads = 20'000'000;

constexpr std::uint64_t kUsualPeriods[] = {1, 2, 5, 10, 20, 50, 100};

/// Returns none, auto, and the strategies that auto chooses from, if usable here. A trace has no positions.
std::vector<std::string> usual_strategies() {
  std::vector<std::string> names = {"none", "auto"};
  for (const lb::StrategyInfo& info : lb::strategies())
    if ((info.traits & lb::for_auto) && !(info.traits & lb::needs_positions) &&
        lb::why_unavailable(info).empty())
      names.emplace_back(info.name);
  return names;
}

std::size_t largest_pe_count(const TuneOptions& options, const simulate::Platform& platform) {
  return options.pes.empty() ? platform.pe_count() : std::ranges::max(options.pes);
}

/// Returns the mean over intervals, each weighted by its computing time.
double imbalance_percent(const simulate::Timeline& timeline) {
  double most = 0, sum = 0;
  for (std::size_t row = 0; timeline.pes > 0 && row + timeline.pes <= timeline.busy.size();
       row += timeline.pes) {
    const auto interval = std::span(timeline.busy).subspan(row, timeline.pes);
    most += static_cast<double>(std::ranges::max(interval));
    for (const simulate::Ns busy : interval) sum += static_cast<double>(busy);
  }
  return sum > 0 ? 100 * (most * static_cast<double>(timeline.pes) / sum - 1) : 0;
}

}  // namespace

TuneTrials::TuneTrials(const TuneOptions& options)
    : options_(options),
      platform_(platform_of(options)),
      policy_(policy_of(options, largest_pe_count(options, platform_))) {
  if (options.seeds > 1 && platform_.noise == 0)
    throw Error(format(
        "--seeds %zu: the platform %s has no noise, so that all seeds give the same; give it some, or leave "
        "--seeds out",
        options.seeds, platform_.name.c_str()));
  const simulate::Platform recorder = recorded_on(options, platform_);
  for (const std::string& file : options.operands) {
    PlayedRun run = read_run(file, options, &recorder);
    if (!runs_.empty() && run.trace.movable_count() != ranks())
      throw Error(format("%s has %u %s and %s has %zu: several traces must be recorded runs of the same job",
                         options.operands[0].c_str(), ranks(), trace().header().noun(), file.c_str(),
                         run.trace.movable_count()));
    if (!runs_.empty() && run.points != points_)
      throw Error(format(
          "%s has %llu sync points and %s has %llu: several traces must be recorded runs of the same job, "
          "equally long; --points K plays the first K of each",
          options.operands[0].c_str(), wide(points_), file.c_str(), wide(run.points)));
    points_ = run.points;
    runs_.push_back(std::move(run));
  }
  coarsen_all();
}

void TuneTrials::coarsen_all() {
  if (options_.to.empty() != options_.grid.empty())
    throw Error("--grid and --to go together: the grid of the recorded ranks, and coarser ones to try");
  if (!options_.cells.empty() && options_.to.empty()) throw Error("--cells goes with --grid and --to");
  if (!options_.to.empty() && trace().header().native)
    throw Error(
        "--to: " + options_.operands[0] +
        " is of a native program, whose elements have no ranks to be joined: leave --grid and --to out");
  for (const Grid& to : options_.to) {
    const trace::CoarseMap map = trace::map_cells(options_.grid, to, options_.cells, trace().object_count());
    const std::uint32_t ranks = static_cast<std::uint32_t>(map.count);
    if (ranks == this->ranks()) continue;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const trace::Trace& fine = runs_[run].trace;
      if (!coarser_.emplace(Key{run, ranks}, trace::coarsen(fine, map, trace::work_left(fine, map))).second)
        throw Error(format("--to: two grids of %u ranks; tune with one after the other", ranks));
    }
  }
}

const trace::Trace& TuneTrials::played(const Key& key) const {
  return key.ranks == ranks() ? runs_[key.run].trace : coarser_.at(key);
}

std::vector<std::string> TuneTrials::remarks() const {
  std::vector<std::string> remarks;
  for (const PlayedRun& run : runs_)
    if (!run.remark.empty()) remarks.push_back(run.remark);
  const std::vector<std::uint32_t> pes = space().pes;
  if (const std::string added = added_pes(platform_, std::ranges::max(pes)); !added.empty())
    remarks.push_back(added);
  return remarks;
}

tune::Space TuneTrials::space() const {
  tune::Space space{options_.strategies, options_.periods, {ranks()}, options_.pes};
  if (!options_.modes.empty()) space.modes = options_.modes;
  for (const Grid& to : options_.to) space.ranks.push_back(static_cast<std::uint32_t>(ranks_of(to)));
  if (space.strategies.empty()) space.strategies = usual_strategies();
  if (points_ == 0) space.strategies = {"none"};
  if (std::ranges::find(space.strategies, "none") == space.strategies.end())
    space.strategies.insert(space.strategies.begin(), "none");  // the base of all comparisons
  if (options_.several_deciding)
    for (const std::string& strategy : space.strategies)
      space.most_deciding[strategy] = simulate::most_deciding(platform_, strategy);
  if (space.periods.empty())
    for (const std::uint64_t period : kUsualPeriods)
      if (period == 1 || 2 * period <= points_) space.periods.push_back(period);
  if (space.pes.empty())
    for (std::uint32_t pes = std::min(platform_.pe_count(), ranks()), k = 0; pes > 0 && k < 4; pes /= 2, ++k)
      space.pes.push_back(pes);
  return space;
}

void TuneTrials::prepare(std::span<const tune::Trial> trials) {
  for (const tune::Trial& trial : trials)
    if (const Key key = key_of(trial); trial.limit_s > 0 && !remaining_.contains(key))
      remaining_.emplace(key, simulate::remaining_work(played(key)));
}

std::string TuneTrials::make(const tune::Trial& trial) const {
  simulate::Policy policy = policy_;
  policy.strategy = trial.configuration.strategy;
  policy.period = trial.configuration.period;
  policy.mode = lb::parse_mode(trial.configuration.mode);
  policy.seed += trial.sample % options_.seeds;
  const Key key = key_of(trial);
  std::optional<simulate::Limit> limit;
  if (trial.limit_s > 0) limit.emplace(static_cast<simulate::Ns>(trial.limit_s * 1e9), remaining_.at(key));
  const simulate::Timeline timeline =
      simulate::simulate(played(key), simulate::with_pes(platform_, trial.configuration.pes), policy, nullptr,
                         limit ? &*limit : nullptr);
  std::uint64_t moved = 0, early = 0;
  for (const simulate::StepRecord& step : timeline.steps) {
    moved += step.moved;
    early += step.behind > 0;
  }
  return nlohmann::json{{"given_up_at", timeline.given_up_at},
                        {"seconds", static_cast<double>(timeline.makespan) * 1e-9},
                        {"imbalance_percent", imbalance_percent(timeline)},
                        {"steps", timeline.steps.size()},
                        {"moved", moved},
                        {"early_steps", early}}
      .dump();
}

double TuneTrials::seconds_of(const simulate::Policy& policy, std::uint32_t pes) const {
  const simulate::Platform platform = simulate::with_pes(platform_, pes);
  return static_cast<double>(simulate::simulate(trace(), platform, policy).makespan) * 1e-9;
}

std::optional<TuneTrials::BestPossible> TuneTrials::best_possible(const tune::Result& result) const {
  if (trace().header().native || points_ == 0 || points_ * ranks() > kMostLoads) return std::nullopt;
  const auto names_when = [&](const tune::Row& row) {
    const tune::Configuration& c = row.configuration;
    if (row.points > 0 || row.seconds.empty() || !row.why_not.empty()) return false;
    if (c.strategy == "none" || c.ranks != ranks() || c.mode != tune::Configuration().mode) return false;
    return !lb::parse_auto(c.strategy) && !lb::parse_strategy(c.strategy).uses_graph();
  };
  const auto row = std::ranges::find_if(result.rows, names_when);
  if (row == result.rows.end()) return std::nullopt;
  const tune::Configuration& c = row->configuration;
  simulate::Policy policy = policy_;
  policy.strategy = c.strategy;
  policy.period = 0;
  BestPossible best{.configuration = c, .steps = {}, .seconds = 0, .automatic_s = seconds_of(policy, c.pes)};
  const lb::BestTimes times = simulate::best_steps(trace(), simulate::with_pes(platform_, c.pes), policy);
  best.steps.assign(times.steps.begin(), times.steps.end());
  policy.steps_at = best.steps;
  if (best.steps.empty()) policy.strategy = "none";
  best.seconds = seconds_of(policy, c.pes);
  return best;
}

tune::Outcome TuneTrials::outcome_of(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  return {.done = true,
          .given_up_at = json.at("given_up_at"),
          .seconds = json.at("seconds"),
          .imbalance_percent = json.at("imbalance_percent"),
          .steps = json.at("steps"),
          .moved = json.at("moved"),
          .early_steps = json.at("early_steps")};
}

}  // namespace skein::tools
