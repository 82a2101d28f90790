// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tune_options.hpp"

#include "runtime/base/error.hpp"
#include "runtime/tools/output.hpp"
#include "skein/lb/compare.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;
using TuneStage = StageOptions<TuneOptions>;

constexpr std::uint64_t most_seeds = 1000, most_jobs = 4096;
constexpr double most_budget_s = 1e7;

void set_strategies(const TuneOption&, TuneOptions& o, View text) {
  o.strategies.clear();
  if (text == "all") return;
  try {
    for (const lb::Candidate& candidate : lb::parse_candidates(text)) {
      check_strategy(candidate.text);
      o.strategies.push_back(candidate.text);
    }
  } catch (const lb::UnknownStrategy& error) {
    throw Error(std::string(error.what()) + ", auto, all");
  } catch (const lb::StrategyError& error) {
    throw Error(error.what());
  }
}

void set_periods(const TuneOption&, TuneOptions& o, View text) {
  o.periods.clear();
  for (const std::string& period : options::parse_list(text, ',')) o.periods.push_back(parse_period(period));
}

/// A part that does not begin with a mode's name is a key of the one before.
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
  try {
    for (const std::string& mode : modes) o.modes.push_back(lb::parse_mode(mode));
  } catch (const lb::StrategyError& error) {
    throw Error(error.what());
  }
}

void set_pes(const TuneOption&, TuneOptions& o, View text) {
  o.pes.clear();
  for (const std::string& pes : options::parse_list(text, ','))
    o.pes.push_back(static_cast<std::uint32_t>(options::parse_count(pes, 1, most_simulated_pes)));
}

void set_to(const TuneOption&, TuneOptions& o, View text) {
  o.to.clear();
  for (const std::string& grid : options::parse_list(text, ',')) o.to.push_back(parse_grid(grid));
}

constexpr TuneOption tune_table[] = {
    TuneStage::platform,
    TuneStage::recorded_on,
    TuneStage::engine,
    TuneStage::memory,
    {{"What is tried", 0, "--strategies", "", "all|NAME[:KEY=VALUE,...],...", "all",
      "The strategies to try, as of skein run. all: none, auto, and those that auto chooses from."},
     set_strategies},
    {{"What is tried", 0, "--periods", "", "K|auto,...", "",
      "Every how many sync points there is an LB step. Without it: 1, 2, 5, 10, 20, 50 and 100, as far as "
      "the run has "
      "two such periods."},
     set_periods},
    {{"What is tried", 0, "--lb-mode", "", "all|MODE[:KEY=VALUE,...],...", "inline",
      "The modes to try, as of skein run: who decides, and who waits for it. all: inline, decoupled and "
      "lazy; these two also with 2, 4, 8 and so on PEs that decide, up to all, or if they only decide a "
      "quarter, by strategies of which the platform says what several PEs take together."},
     set_modes},
    {{"What is tried", 'p', "--pes", "", "P,...", "",
      "Numbers of PEs. Without it: those of the platform, but no more than ranks; half, a quarter and an "
      "eighth of them."},
     set_pes},
    {{"What is tried", 0, "--grid", "", "AxB[xC]", "",
      "The Cartesian grid of the ranks that were recorded, the last coordinate running fastest; for --to."},
     [](const TuneOption&, TuneOptions& o, View text) { o.grid = parse_grid(text); }},
    {{"What is tried", 0, "--to", "", "AxB[xC],...", "",
      "Coarser decompositions to try beside the recorded one, as skein trace coarsen makes them; each number "
      "divides that "
      "of --grid."},
     set_to},
    {{"What is tried", 0, "--cells", "", "AxB[xC]", "",
      "The cells of the program's grid, where they do not divide by the ranks, as of skein trace coarsen; "
      "for "
      "--to."},
     [](const TuneOption&, TuneOptions& o, View text) { o.cells = parse_grid(text); }},
    {{"What is tried", 0, "--seeds", "", "N", "1",
      "Plays each recorded run with N seeds of the platform's noise, S, S+1 and so on: more samples to be "
      "sure of."},
     [](const TuneOption&, TuneOptions& o, View text) {
       o.seeds = options::parse_count(text, 1, most_seeds);
     }},
    TuneStage::load_model,
    TuneStage::pe_speed,
    TuneStage::placement,
    TuneStage::wildcards,
    TuneStage::points,
    TuneStage::seed,
    {{"How it is tried", 0, "--whole", "", "", "no",
      "Simulates all configurations to the end. Otherwise, where there are many, one is given up as soon as "
      "it is sure that eight others on as many PEs take less."},
     [](const TuneOption&, TuneOptions& o, View text) { o.whole = options::parse_switch(text); }},
    {{"How it is tried", 0, "--budget", "", "SECONDS", "",
      "Stops after that time with what it has, as it does at Ctrl-C."},
     [](const TuneOption&, TuneOptions& o, View text) {
       o.budget_s = options::parse_seconds(text, most_budget_s);
     }},
    {{"How it is tried", 'j', "--jobs", "", "N", "",
      "So many simulations at a time. Without it: as many as there are cores. The outcome is the same."},
     [](const TuneOption&, TuneOptions& o, View text) { o.jobs = options::parse_count(text, 1, most_jobs); }},
    {{"What is told", 0, "--json", "", "", "no",
      "Prints one JSON object, with all configurations, instead of tables."},
     [](const TuneOption&, TuneOptions& o, View text) { o.json = options::parse_switch(text); }},
    {{"What is told", 'o', "--output", "", "FILE", "", "Writes the JSON object to FILE, for `skein report`."},
     [](const TuneOption&, TuneOptions& o, View text) { o.output = output_name(text); }},
};

}  // namespace

std::span<const TuneOption> tune_options() { return tune_table; }

}  // namespace skein::tools
