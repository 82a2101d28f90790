// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tune_print.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "runtime/base/error.hpp"
#include "runtime/tools/output.hpp"
#include "runtime/tools/run_command.hpp"

namespace skein::tools {
namespace {

using nlohmann::ordered_json;
using tune::Configuration;
using tune::Row;

constexpr std::uint32_t kEnoughRanksAPe = 2;  // with fewer nothing can be balanced
constexpr std::uint32_t kMostAdvisedAPe = 4;  // the best number in publications

constexpr std::size_t kMostTrialsShown = 20;  // of the table of configurations
constexpr std::size_t kMostStepsShown = 8;

std::string period_text(const Configuration& configuration) {
  if (configuration.strategy == "none") return "-";
  return configuration.period == 0 ? "auto" : std::to_string(configuration.period);
}

bool went_to_the_end(const Row& row) {
  return row.why_not.empty() && !row.seconds.empty() && row.points == 0;
}

std::size_t not_tried(const tune::Result& result) {
  return static_cast<std::size_t>(std::ranges::count_if(
      result.rows, [](const Row& row) { return row.why_not.empty() && row.seconds.empty(); }));
}

/// Returns the trial with the same ranks and PEs in which nothing moves, if there was one.
const Row* unmoved(const tune::Result& result, const Row& row) {
  for (const Row& each : result.rows)
    if (each.configuration.strategy == "none" && each.configuration.ranks == row.configuration.ranks &&
        each.configuration.pes == row.configuration.pes && went_to_the_end(each))
      return &each;
  return nullptr;
}

std::string gain_text(const tune::Result& result, const Row& row) {
  const Row* const still = unmoved(result, row);
  if (!still || still == &row || still->mean_s <= 0) return "";
  return format("%+.1f", 100 * (row.mean_s / still->mean_s - 1));
}

void print_head(const Tuning& t) {
  const trace::Header& header = t.trials.trace().header();
  printf("%zu recorded %s of %u %s%s%s, %llu sync points; platform %s\n", t.options.operands.size(),
         t.options.operands.size() == 1 ? "run" : "runs", t.trials.ranks(), header.noun(),
         header.program.empty() ? "" : " of ", header.program.c_str(), wide(t.trials.told_points()),
         t.trials.platform().name.c_str());
  for (const std::string& remark : t.trials.remarks()) printf("%s\n", remark.c_str());
  if (t.trials.points() == 0)
    printf("There are no sync points, so that nothing can be balanced: %s.\n",
           how_to_have_points(header).c_str());
  printf("%zu configurations, %zu simulations: %zu to the end", t.result.rows.size(), t.result.trials,
         t.result.whole * t.how.samples);
  if (t.result.given_up > 0)
    printf(", %zu until it was sure that %zu others on as many PEs take less", t.result.given_up, t.how.best);
  printf("\n");
  if (!t.result.complete)
    printf("Stopped before the end: %zu of the configurations were not tried.\n", not_tried(t.result));
}

/// Returns the width of the column; 0: inline is the only mode, and needs no column.
int width_of_modes(const tune::Result& result) {
  std::size_t width = 0;
  for (const Row& row : result.rows)
    if (row.configuration.mode != "inline") width = std::max(width, row.configuration.mode.size());
  return static_cast<int>(width);
}

void print_rows(const Tuning& t) {
  int width = 8;
  for (const Row& row : t.result.rows)
    width = std::max(width, static_cast<int>(row.configuration.strategy.size()));
  const int mode_width = width_of_modes(t.result);
  printf("\n   %6s %7s  %-*s %7s", "PEs", t.trials.trace().header().native ? "elem." : "ranks", width,
         "strategy", "period");
  if (mode_width > 0) printf("  %-*s", mode_width, "mode");
  printf(" %12s", "time s");
  if (t.how.samples > 1) printf(" %10s", "+- s");
  printf(" %10s %12s %8s %8s\n", "to none %", "imbalance %", "steps", "moved");
  std::size_t printed = 0;
  for (std::size_t i = 0; i < t.result.whole; ++i) {
    const Row& row = t.result.rows[i];
    if (printed >= kMostTrialsShown && !row.on_frontier) continue;
    ++printed;
    const Configuration& c = row.configuration;
    printf(" %c%c%6u %7u  %-*s %7s", row.on_frontier ? '*' : ' ', row.as_good ? '=' : ' ', c.pes, c.ranks,
           width, c.strategy.c_str(), period_text(c).c_str());
    if (mode_width > 0) printf("  %-*s", mode_width, c.strategy == "none" ? "-" : c.mode.c_str());
    printf(" %12.6g", row.mean_s);
    if (t.how.samples > 1) printf(" %10.3g", row.half_width_s);
    printf(" %10s %12.1f %8.4g %8.4g\n", gain_text(t.result, row).c_str(), row.imbalance_percent, row.steps,
           row.moved);
  }
  const std::size_t slower = t.result.whole + t.result.given_up - printed;
  if (slower > 0) printf("and %zu slower ones, which --json has.\n", slower);
  printf("* on the frontier: nothing with as few PEs is faster. = cannot be told from the fastest.\n");
}

void print_best_possible(const Tuning& t) {
  if (!t.best_possible) return;
  const TuneTrials::BestPossible& best = *t.best_possible;
  const Configuration& c = best.configuration;
  printf("\nBest possible with %s on %u PEs, knowing all loads beforehand: %.6g s, %zu %s",
         c.strategy.c_str(), c.pes, best.seconds, best.steps.size(),
         best.steps.size() == 1 ? "step" : "steps");
  for (std::size_t i = 0; i < std::min(best.steps.size(), kMostStepsShown); ++i)
    printf("%s%llu", i == 0 ? ", at sync point " : ", ", wide(best.steps[i]));
  if (best.steps.size() > kMostStepsShown) printf(", ...");
  printf(".\nWith an automatic period it takes %.6g s", best.automatic_s);
  for (const Row& row : t.result.rows)
    if (row.configuration.strategy == c.strategy && row.configuration.pes == c.pes && went_to_the_end(row) &&
        row.configuration.period > 0) {
      printf(", with one of %s sync points, the best, %.6g s", period_text(row.configuration).c_str(),
             row.mean_s);
      break;
    }
  printf(". Of the loads of %s alone, messages left aside, the best times follow.\n",
         t.trials.trace().header().noun());
}

void print_grids(const Tuning& t) {
  for (const Grid& to : t.options.to)
    printf("%llu ranks are a grid of %s: the program has to be told, if it would choose another.\n",
           wide(ranks_of(to)), grid_text(to).c_str());
}

void print_early(const Tuning& t) {
  const auto early = std::ranges::count_if(t.result.rows, [](const Row& row) { return row.early_steps > 0; });
  if (early > 0)
    printf("In %zu of all configurations elements had not come at some LB steps: they %s.\n",
           static_cast<std::size_t>(early), kEarlyStepsAre);
}

void print_refused(const Tuning& t) {
  std::vector<std::string> told;
  for (const Row& row : t.result.rows) {
    if (row.why_not.empty()) continue;
    const std::string line = row.configuration.strategy + " cannot be simulated: " + row.why_not;
    if (std::ranges::find(told, line) != told.end()) continue;
    printf("%s\n", line.c_str());
    told.push_back(line);
  }
}

void print_sureness(const Tuning& t) {
  if (t.how.samples > 1)
    printf(
        "+- is half of the 95 %% interval of the mean of %zu samples (%zu recorded %s, %zu %s of noise), by "
        "Student's t.\n",
        t.how.samples, t.options.operands.size(), t.options.operands.size() == 1 ? "run" : "runs",
        t.options.seeds, t.options.seeds == 1 ? "seed" : "seeds");
  else
    printf("One recorded run gives no interval: record the job some times and name all traces.\n");
  printf("What differs by less than %g %% is within the error of the simulation.\n", 100 * t.how.margin);
}

std::string command_of(const Tuning& t, std::size_t row) {
  return run_command(t.trials.trace().header(), t.result.rows[row].configuration, t.options,
                     t.trials.platform());
}

void print_frontier(const Tuning& t) {
  printf("\nThe frontier of time and PEs:\n");
  for (const std::size_t row : t.result.frontier)
    printf("  %12.6g s, %10.6g PE seconds  %s\n", t.result.rows[row].mean_s,
           t.result.rows[row].mean_s * t.result.rows[row].configuration.pes, command_of(t, row).c_str());
}

/// Returns what only a recording of more ranks could tell. Empty: nothing.
std::string more_ranks(const Tuning& t) {
  if (!t.result.advised || t.trials.trace().header().native) return "";
  const Configuration& c = t.result.rows[*t.result.advised].configuration;
  if (c.strategy != "none" || c.pes == 1 || c.ranks >= kEnoughRanksAPe * c.pes) return "";
  return format(
      "With %u ranks on %u PEs there is little or nothing to move. Whether balancing would pay there is "
      "known once a run of more ranks is recorded, some %u (%u a PE).",
      c.ranks, c.pes, kMostAdvisedAPe * c.pes, kMostAdvisedAPe);
}

void print_advice(const Tuning& t) {
  const Row& row = t.result.rows[*t.result.advised];
  if (t.result.complete)
    printf("\nTo use:\n");
  else
    printf(
        "\nBest of what was tried, which need not be what is best: %zu of %zu configurations were not tried; "
        "without --budget, or with fewer --strategies, --periods or --pes, all are:\n",
        not_tried(t.result), t.result.rows.size());
  printf("  %s\n", command_of(t, *t.result.advised).c_str());
  if (t.result.advised != t.result.fastest)
    printf(
        "It takes %.6g s; the fastest one takes %.6g s, which is %g %% less at most, and %s.\n", row.mean_s,
        t.result.rows[*t.result.fastest].mean_s, 100 * t.how.indifference,
        row.configuration.pes < t.result.rows[*t.result.fastest].configuration.pes ? "more PEs" : "balances");
  if (const std::string more = more_ranks(t); !more.empty()) printf("%s\n", more.c_str());
}

std::vector<std::string> all_remarks(const Tuning& t) {
  std::vector<std::string> remarks = t.trials.remarks();
  if (std::string more = more_ranks(t); !more.empty()) remarks.push_back(std::move(more));
  return remarks;
}

ordered_json row_json(const Row& row) {
  ordered_json json = {{"strategy", row.configuration.strategy},
                       {"period", row.configuration.period == 0 ? ordered_json("auto")
                                                                : ordered_json(row.configuration.period)},
                       {"mode", row.configuration.mode},
                       {"ranks", row.configuration.ranks},
                       {"pes", row.configuration.pes}};
  if (!row.why_not.empty()) {
    json["why_not"] = row.why_not;
    return json;
  }
  if (row.seconds.empty()) return json;  // never tried
  json.update({{"points", row.points == 0 ? ordered_json(nullptr) : ordered_json(row.points)},
               {"seconds", row.seconds},
               {"mean_s", row.mean_s},
               {"half_width_s", row.half_width_s},
               {"imbalance_percent", row.imbalance_percent},
               {"steps", row.steps},
               {"moved", row.moved},
               {"early_steps", row.early_steps},
               {"on_frontier", row.on_frontier},
               {"as_good", row.as_good}});
  return json;
}

}  // namespace

void print_tuning(const Tuning& tuning) {
  print_head(tuning);
  if (!tuning.result.fastest) {
    print_refused(tuning);
    printf("Nothing was simulated.\n");
    return;
  }
  print_rows(tuning);
  print_best_possible(tuning);
  print_refused(tuning);
  print_early(tuning);
  print_grids(tuning);
  print_sureness(tuning);
  print_frontier(tuning);
  print_advice(tuning);
}

std::string to_json(const Tuning& t) {
  const tune::Result& result = t.result;
  ordered_json json = {{"kind", "tuning"},
                       {"traces", t.options.operands},
                       {"program", t.trials.trace().header().program},
                       {"platform", t.trials.platform().name},
                       {"engine", name_of(t.options.policy.engine)},
                       {"sync_points", t.trials.told_points()},
                       {"samples", t.how.samples},
                       {"simulations", result.trials},
                       {"to_the_end", result.whole},
                       {"given_up", result.given_up},
                       {"complete", result.complete}};
  if (const std::vector<std::string> remarks = all_remarks(t); !remarks.empty()) json["remarks"] = remarks;
  json["rows"] = ordered_json::array();
  for (const Row& row : result.rows) json["rows"].push_back(row_json(row));
  if (const auto& best = t.best_possible)
    json["best_possible"] = {{"strategy", best->configuration.strategy},
                             {"pes", best->configuration.pes},
                             {"seconds", best->seconds},
                             {"steps", best->steps},
                             {"automatic_s", best->automatic_s}};
  json["frontier"] = result.frontier;
  if (result.fastest) {
    json["fastest"] = *result.fastest;
    json["advised"] = *result.advised;
    json["command"] = command_of(t, *result.advised);
  }
  return json.dump();
}

}  // namespace skein::tools
