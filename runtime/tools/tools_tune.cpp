// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "runtime/base/error.hpp"
#include "runtime/options/setters.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"
#include "runtime/tools/progress_bar.hpp"
#include "runtime/tools/tune_print.hpp"
#include "runtime/tools/tune_trials.hpp"
#include "runtime/tools/workers.hpp"
#include "skein/lb/compare.hpp"
#include "skein/lb/model.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;
using TuneOption = options::OptionOf<TuneOptions>;
using TuneStage = StageOptions<TuneOptions>;

constexpr std::uint64_t kMostSeeds = 1000, kMostJobs = 4096;
constexpr double kMostBudgetS = 1e7;

void set_strategies(const TuneOption&, TuneOptions& o, View text) {
  o.strategies.clear();
  if (text == "all") return;
  try {
    for (const lb::Candidate& candidate : lb::parse_candidates(text)) {
      lb::check_choice(candidate.text);
      o.strategies.push_back(candidate.text);
    }
  } catch (const lb::UnknownStrategy& error) {
    throw Error(std::string(error.what()) + ", auto, all");
  }
}

void set_periods(const TuneOption&, TuneOptions& o, View text) {
  o.periods.clear();
  for (const std::string& period : options::parse_list(text, ',')) o.periods.push_back(parse_period(period));
}

/// Sets the modes. A part that does not begin with a mode's name is a key of the mode before.
void set_modes(const TuneOption&, TuneOptions& o, View text) {
  constexpr View all = "inline,decoupled,lazy";
  std::vector<std::string> modes;
  for (const std::string& part : options::parse_list(text == "all" ? all : text, ',')) {
    const View name = View(part).substr(0, part.find(':'));
    if (modes.empty() || name.find('=') == View::npos)
      modes.push_back(part);
    else
      modes.back() += "," + part;
  }
  o.modes.clear();
  o.several_deciding = text == "all";
  for (const std::string& mode : modes) o.modes.push_back(lb::parse_mode(mode));
}

void set_pes(const TuneOption&, TuneOptions& o, View text) {
  o.pes.clear();
  for (const std::string& pes : options::parse_list(text, ','))
    o.pes.push_back(static_cast<std::uint32_t>(options::parse_count(pes, 1, kMostSimulatedPes)));
}

void set_to(const TuneOption&, TuneOptions& o, View text) {
  o.to.clear();
  for (const std::string& grid : options::parse_list(text, ',')) o.to.push_back(parse_grid(grid));
}

constexpr TuneOption kTuneTable[] = {
    TuneStage::platform,
    TuneStage::recorded_on,
    TuneStage::engine,
    TuneStage::memory,
    {{"Configurations to try", 0, "--strategies", "", "all|NAME[:KEY=VALUE,...],...", "all",
      "Chooses the strategies to try, as in skein run. all: none, auto, and those from which auto chooses."},
     set_strategies},
    {{"Configurations to try", 0, "--periods", "", "K|auto,...", "",
      "Chooses the periods to try: the number of sync points from one LB step to the next. Default: 1, 2, 5, "
      "10, 20, 50 and 100, as long as the run has two such periods."},
     set_periods},
    {{"Configurations to try", 0, "--lb-mode", "", "all|MODE[:KEY=VALUE,...],...", "inline",
      "Chooses the modes to try, as in skein run. all: inline, decoupled and lazy. The last two are also "
      "tried with 2, 4, 8 and so on deciding PEs, up to all PEs (a quarter if they only decide), for "
      "strategies whose times on several PEs are in the platform."},
     set_modes},
    {{"Configurations to try", 'p', "--pes", "", "P,...", "",
      "Chooses the numbers of PEs to try. Default: all PEs of the platform, but no more than ranks, and "
      "half, a quarter and an eighth of them."},
     set_pes},
    {{"Configurations to try", 0, "--grid", "", "AxB[xC]", "",
      "Gives the Cartesian grid of the recorded ranks; the last coordinate runs fastest. For --to."},
     options::set_parsed<&TuneOptions::grid, parse_grid>},
    {{"Configurations to try", 0, "--to", "", "AxB[xC],...", "",
      "Gives coarser decompositions to try beside the recorded one, as skein trace coarsen makes them; each "
      "number divides that of --grid."},
     set_to},
    {{"Configurations to try", 0, "--cells", "", "AxB[xC]", "",
      "Gives the cells of the program's grid, if the ranks do not divide them evenly, as in skein trace "
      "coarsen. For --to."},
     options::set_parsed<&TuneOptions::cells, parse_grid>},
    {{"Configurations to try", 0, "--seeds", "", "N", "1",
      "Plays each recorded run with N seeds of the platform's noise (S, S+1 and so on). More samples give "
      "surer results."},
     options::set_count<&TuneOptions::seeds, 1, kMostSeeds>},
    TuneStage::load_model,
    TuneStage::pe_speed,
    TuneStage::placement,
    TuneStage::wildcards,
    TuneStage::points,
    TuneStage::seed,
    {{"Effort", 0, "--whole", "", "", "no",
      "Simulates all configurations to the end. Without it, if there are many, tune gives up one as soon as "
      "eight others on as many PEs surely take less time."},
     options::set_switch<&TuneOptions::whole>},
    {{"Effort", 0, "--budget", "", "SECONDS", "",
      "Stops after that time with the results so far, as at Ctrl-C."},
     [](const TuneOption&, TuneOptions& o, View text) {
       o.budget_s = options::parse_seconds(text, kMostBudgetS);
     }},
    {{"Effort", 'j', "--jobs", "", "N", "",
      "Runs N simulations at a time. Default: one for each core. The outcome is the same."},
     options::set_count<&TuneOptions::jobs, 1, kMostJobs>},
    {{"Output", 0, "--json", "", "", "no",
      "Prints one JSON object, with all configurations, instead of tables."},
     options::set_switch<&TuneOptions::json>},
    {{"Output", 'o', "--output", "", "FILE", "", "Writes the JSON object to FILE, for `skein report`."},
     options::set_text<&TuneOptions::output>},
};

std::size_t jobs_of(const TuneOptions& options) {
  return options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
}

/// Makes the trials of a batch, shows progress, and stops when the user or the budget says so.
std::vector<tune::Outcome> make_all(const tune::Batch& batch, TuneTrials& trials, const TuneOptions& options,
                                    const StopOnSignal& signals, ProgressBar& progress) {
  trials.prepare(batch.trials);
  const std::size_t count = batch.trials.size();
  const auto goes_on = [&](std::size_t done) {
    progress.show(batch.before + batch.share * static_cast<double>(done) / static_cast<double>(count),
                  format("%zu of %zu simulations", done, count));
    return !signals.asked() && (options.budget_s == 0 || progress.elapsed_s() < options.budget_s);
  };
  // A process can hold SimGrid only once.
  const TasksEach each =
      options.policy.engine == simulate::NetworkEngine::simgrid ? TasksEach::one : TasksEach::many;
  const std::vector<WorkerResult> results = run_in_processes(
      count, jobs_of(options), each, [&](std::size_t i) { return trials.make(batch.trials[i]); }, goes_on);
  std::vector<tune::Outcome> outcomes;
  for (const WorkerResult& result : results) {
    tune::Outcome& outcome = outcomes.emplace_back();
    if (!result.error.empty())
      outcome.why_not = result.error;
    else if (result.done)
      outcome = TuneTrials::outcome_of(result.text);
    outcome.done = result.done;
  }
  return outcomes;
}

int run(const TuneOptions& options) {
  check_not_read(options.output, options.operands);
  check_not_read(options.output, {&options.platform, 1});
  const StopOnSignal signals;  // also while traces are read
  TuneTrials trials(options);
  tune::Options how;
  how.samples = trials.samples();
  // Only for ranks is it known what is left at a sync point.
  how.may_give_up = !options.whole && !trials.trace().header().native;
  const std::vector<tune::Configuration> tried = tune::configurations(trials.space());
  tune::Result result;
  {
    ProgressBar progress;
    result = tune::explore(tried, how, [&](const tune::Batch& batch) {
      return make_all(batch, trials, options, signals, progress);
    });
  }
  const Tuning tuning{options, trials, how, result,
                      result.complete ? trials.best_possible(result) : std::nullopt};
  if (!options.output.empty()) write_file(options.output, to_json(tuning));
  if (options.json)
    puts(to_json(tuning).c_str());
  else
    print_tuning(tuning);
  return result.fastest ? 0 : 1;
}

constexpr options::SubcommandOf<TuneOptions> kTuneOnly[] = {
    {"", names::kTune.usage, "", {}, 1, options::kAnyNumber, run}};

constexpr View kTuneNotes =
    "Takes a job that `skein run --trace` recorded and simulates it with many strategies, periods and "
    "numbers of PEs, on all cores. It reports the fastest configurations, those that are fastest for their "
    "number of PEs, how sure that is, and the command line to use. Several traces must be recorded runs of "
    "the same job; they show how sure the times are. Ctrl-C stops it with the results so far. The outcome is "
    "the same every time, unless it is stopped. The exit status is 1 if nothing could be simulated.";

}  // namespace

options::Tool tune_tool() {
  static const options::ToolOf<TuneOptions> tool{names::kTune, kTuneNotes, kTuneTable, kTuneOnly};
  return options::as_tool(tool);
}

}  // namespace skein::tools
