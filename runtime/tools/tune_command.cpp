// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "runtime/base/error.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"
#include "runtime/tools/progress_bar.hpp"
#include "runtime/tools/tune_print.hpp"
#include "runtime/tools/tune_trials.hpp"
#include "runtime/tools/workers.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

std::size_t jobs_of(const TuneOptions& options) {
  return options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
}

/// Makes the trials of a batch, shows how far it is, and stops when the user or the budget says so.
std::vector<tune::Outcome> make_all(const tune::Batch& batch, TuneTrials& trials, const TuneOptions& options,
                                    const StopOnSignal& signals, ProgressBar& progress) {
  trials.prepare(batch.trials);
  const std::size_t count = batch.trials.size();
  const auto goes_on = [&](std::size_t done) {
    progress.show(batch.before + batch.share * static_cast<double>(done) / static_cast<double>(count),
                  format("%zu of %zu simulations", done, count));
    return !signals.asked() && (options.budget_s == 0 || progress.elapsed_s() < options.budget_s);
  };
  // SimGrid is there once in a process.
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
  const StopOnSignal signals;  // while traces are read, too
  TuneTrials trials(options);
  tune::Options how;
  how.samples = trials.samples();
  // What is left at a sync point is known of ranks.
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

constexpr View tune_usage = "TRACE... --platform FILE|NAME [options]";

constexpr options::SubcommandOf<TuneOptions> tune_only[] = {
    {"", tune_usage, "", {}, 1, options::any_number, run}};

constexpr View tune_notes =
    "Simulates a job that `skein run --trace` recorded with many strategies, periods and numbers of PEs, on "
    "all cores, and "
    "says which take least time, which least for their PEs, how sure that is, and the command line to use. "
    "Several traces "
    "are recorded runs of the same job: from them follows how sure the times are. Ctrl-C stops it with what "
    "it has. The "
    "outcome is the same every time, unless it is stopped. The exit status is 1 if nothing could be "
    "simulated.";

}  // namespace

const options::ToolOf<TuneOptions>& tune_tool() {
  static const options::ToolOf<TuneOptions> tool{names::tune, tune_notes, tune_options(), tune_only};
  return tool;
}

}  // namespace skein::tools
