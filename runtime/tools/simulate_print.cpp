// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/simulate_print.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <span>

#include "runtime/base/error.hpp"
#include "runtime/tools/output.hpp"
#include "skein/lb/critical_path.hpp"

namespace skein::tools {
namespace {

using simulate::Ns;
using simulate::StepRecord;
using simulate::Timeline;

constexpr std::size_t kMostIntervalsShown = 30;  // of a table; omits the middle of a longer one

double seconds(Ns time) { return static_cast<double>(time) * 1e-9; }
double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) * 1e-6; }
double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// Returns how much longer the fullest PE computed than the average, in percent.
double imbalance_percent(std::span<const Ns> busy) {
  const double sum = static_cast<double>(std::accumulate(busy.begin(), busy.end(), Ns{0}));
  if (sum <= 0) return 0;
  return 100 * (static_cast<double>(std::ranges::max(busy)) * static_cast<double>(busy.size()) / sum - 1);
}

std::string period_text(const simulate::Policy& policy) {
  if (policy.strategy == "none") return "nobody moves";
  if (policy.period == 0) return policy.strategy + " in periods that follow the run";
  return format("%s every %llu sync points", policy.strategy.c_str(), wide(policy.period));
}

const char* placement_text(simulate::Placement placement) {
  switch (placement) {
    case simulate::Placement::block:
      return "in blocks";
    case simulate::Placement::round_robin:
      return "in turn";
    case simulate::Placement::recorded:
      return "as recorded";
  }
  return "";
}

void print_speeds(const Simulation& s) {
  const std::vector<double> speeds = simulate::speeds_seen(s.platform, s.policy);
  if (speeds.empty()) return;
  const auto [slowest, fastest] = std::ranges::minmax_element(speeds);
  printf("PEs differ: strategies take PE %td to have %.3g of the speed of PE %td%s\n",
         slowest - speeds.begin(), *slowest / *fastest, fastest - speeds.begin(),
         s.policy.pe_speeds ? "" : ", as skein run --pe-speed measured finds it");
}

void print_head(const Simulation& s) {
  const trace::Header& header = s.run.trace.header();
  printf("%s: %zu %s%s%s\n", s.file.c_str(), s.run.trace.movable_count(), header.noun(),
         header.program.empty() ? "" : " of ", header.program.c_str());
  for (const std::string& remark : s.told.remarks) printf("%s\n", remark.c_str());
  printf("on %u PEs, %u a node, of %s; %s network\n", s.platform.pe_count(), s.platform.pes_per_node,
         s.platform.name.c_str(), name_of(s.policy.engine));
  printf("%s, placed %s at first\n", period_text(s.policy).c_str(), placement_text(s.policy.placement));
  if (s.policy.strategy != "none") print_speeds(s);
  if (s.policy.mode.kind != lb::Mode::Kind::inline_all)
    printf("mode %s: %zu PEs compute, %zu only to decide\n", lb::to_string(s.policy.mode).c_str(),
           s.timeline.pes, s.timeline.reserved_pes);
  if (s.timeline.pes > s.run.trace.movable_count())
    printf("%zu PEs have nothing to do: there are fewer %s than PEs.\n",
           s.timeline.pes - s.run.trace.movable_count(), header.noun());
  if (s.policy.strategy != "none" && s.timeline.steps.empty() && s.timeline.decisions == 0)
    printf("There is no LB step: the run has %llu sync points%s.\n", wide(s.run.told_points),
           s.run.points == 0 ? ("; " + how_to_have_points(header)).c_str() : ", fewer than a period");
  printf("\n");
}

/// Prints the decisions of a lazy job.
void print_decisions(const Timeline& t) {
  if (t.decisions == 0) return;
  std::uint64_t points = 0, dropped = 0;
  Ns decide = 0;
  for (const StepRecord& step : t.steps) {
    if (!step.late) continue;
    points += step.late->applied_at - step.late->asked_at;
    dropped += step.late->dropped;
    decide += step.late->decide;
  }
  printf("%-20s %12llu, made while all went on; %zu of them were applied", "decisions", wide(t.decisions),
         t.steps.size());
  if (!t.steps.empty()) {
    const auto steps = static_cast<double>(t.steps.size());
    printf(", %.1f sync points late and decided in %.6g s on average; %llu were dropped",
           static_cast<double>(points) / steps, seconds(decide) / steps, wide(dropped));
  }
  printf("\n");
}

void print_totals(const Simulation& s) {
  const Timeline& t = s.timeline;
  printf("%-20s %12.6g s\n", "makespan", seconds(t.makespan));
  if (s.told.unmoved) {
    const double gain =
        percent(static_cast<double>(*s.told.unmoved - t.makespan), static_cast<double>(*s.told.unmoved));
    printf("%-20s %12.6g s, so that balancing %s %.1f %%\n", "with nobody moving", seconds(*s.told.unmoved),
           gain < 0 ? "loses" : "gains", std::abs(gain));
  }
  const Ns total = std::accumulate(t.pe_busy.begin(), t.pe_busy.end(), Ns{0});
  const double mean =
      static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(1, t.pe_busy.size()));
  const Ns fullest = t.pe_busy.empty() ? 0 : std::ranges::max(t.pe_busy);
  printf("%-20s %12.6g s on average (%.1f %%), %.6g s on the fullest PE\n", "computed", mean * 1e-9,
         percent(mean, static_cast<double>(t.makespan)), seconds(fullest));
  printf("%-20s %12llu, %.1f %% of them and %.1f %% of %.6g MB between PEs\n", "messages", wide(t.messages),
         percent(static_cast<double>(t.remote_messages), static_cast<double>(t.messages)),
         percent(static_cast<double>(t.remote_bytes), static_cast<double>(t.bytes)), megabytes(t.bytes));
  print_decisions(t);
  if (t.steps.empty()) return;
  std::uint64_t moved = 0, bytes = 0, split = 0, merged = 0;
  Ns time = 0;
  for (const StepRecord& step : t.steps) {
    moved += step.moved;
    bytes += step.moved_bytes;
    split += step.split;
    merged += step.merged;
    time += step.meet + step.collect + step.decide + step.move;
  }
  printf("%-20s %12zu, %llu moves of %.6g MB in %.6g s (%.1f %%)\n", "LB steps", t.steps.size(), wide(moved),
         megabytes(bytes), seconds(time),
         percent(static_cast<double>(time), static_cast<double>(t.makespan)));
  if (split > 0) printf("%-20s %12llu split off elements, %llu merged\n", "parts", wide(split), wide(merged));
  if (const auto early =
          std::ranges::count_if(t.steps, [](const StepRecord& step) { return step.behind > 0; }))
    printf("At %zu of these steps elements had not come: they %s.\n", static_cast<std::size_t>(early),
           kEarlyStepsAre);
}

std::span<const Ns> interval_of(const std::vector<Ns>& table, std::size_t interval, std::size_t pes) {
  return std::span(table).subspan(interval * pes, pes);
}

void print_intervals(const Simulation& s) {
  const Timeline& t = s.timeline;
  const std::size_t intervals = t.interval_end.size();
  if (t.pes == 0 || t.busy.size() != intervals * t.pes || intervals == 0) return;
  const bool compares = t.unbalanced.size() == t.busy.size() && !t.steps.empty();
  printf("\n%8s %12s %12s", "interval", "until s", "imbalance %");
  if (compares) printf(" %12s", "unmoved %");
  if (!t.steps.empty()) printf("   %-16s %-16s %8s %10s %10s", "LB step", "imbalance %", "moved", "MB", "ms");
  printf("\n");
  for (std::size_t i = 0; i < intervals; ++i) {
    if (intervals > kMostIntervalsShown && i == kMostIntervalsShown / 2) {
      printf("%8s\n", "...");
      i = intervals - kMostIntervalsShown / 2;
    }
    printf("%8zu %12.6g %12.1f", i + 1, seconds(t.interval_end[i]),
           imbalance_percent(interval_of(t.busy, i, t.pes)));
    if (compares) printf(" %12.1f", imbalance_percent(interval_of(t.unbalanced, i, t.pes)));
    if (i < t.steps.size()) {
      const StepRecord& step = t.steps[i];
      printf("   %-16s %-16s %8llu %10.4g %10.4g", step.strategy.c_str(),
             format("%.1f -> %.1f", step.imbalance_before, step.imbalance_after).c_str(), wide(step.moved),
             megabytes(step.moved_bytes),
             static_cast<double>(step.meet + step.collect + step.decide + step.move) * 1e-6);
    }
    printf("\n");
  }
  if (intervals > kMostIntervalsShown) printf("--json has all %zu intervals.\n", intervals);
}

constexpr std::size_t kMostOnPath = 5;  // in ranks

void print_path(const simulate::CriticalPath& path, const trace::Trace& trace, Ns makespan) {
  const char* const noun = trace.header().native ? "objects" : "ranks";
  const auto part = [&](Ns ns) { return percent(static_cast<double>(ns), static_cast<double>(makespan)); };
  printf(
      "\n%-20s computing %.1f %%, messages %.1f %%, collectives %.1f %%, LB steps %.1f %%, between %s of a "
      "PE %.1f %%, waiting otherwise %.1f %%\n",
      "critical path", part(path.compute), part(path.transfer), part(path.collective), part(path.balancing),
      noun, part(path.between), part(path.waiting));
  const std::vector<std::string>& labels = trace.header().labels;
  const auto name = [&](std::size_t object) {
    return object < labels.size() ? labels[object] : std::to_string(object);
  };
  std::vector<std::size_t> objects(path.of_object.size());
  std::iota(objects.begin(), objects.end(), std::size_t{0});
  std::ranges::stable_sort(objects, std::ranges::greater{},
                           [&](std::size_t object) { return path.of_object[object]; });
  printf("  of %-15s", noun);
  for (std::size_t i = 0; i < std::min(kMostOnPath, objects.size()) && path.of_object[objects[i]] > 0; ++i)
    printf("%s %s: %.1f %%", i ? "," : "", name(objects[i]).c_str(), part(path.of_object[objects[i]]));
  printf("; it goes from one to another %zu times\n", path.handed_on);
  if (path.of_region.size() < 2) return;
  printf("%-20s", trace.header().native ? "  of entry methods" : "  of regions");
  for (std::size_t i = 0; i < path.of_region.size(); ++i)
    printf("%s %s: %.1f %%", i ? "," : "",
           path.of_region[i].first.empty() ? "(none)" : path.of_region[i].first.c_str(),
           part(path.of_region[i].second));
  printf("\n");
}

void print_what_if(const Simulation& s) {
  for (const simulate::WhatIf& one : s.told.what_if)
    printf("if %s were %g times as fast: %.6g s, %+.1f %%\n", one.what.c_str(), one.factor,
           seconds(one.makespan),
           percent(static_cast<double>(one.makespan - s.timeline.makespan),
                   static_cast<double>(s.timeline.makespan)));
}

}  // namespace

void print_simulation(const Simulation& simulation) {
  print_head(simulation);
  print_totals(simulation);
  print_intervals(simulation);
  if (simulation.told.path)
    print_path(*simulation.told.path, simulation.run.trace, simulation.timeline.makespan);
  print_what_if(simulation);
}

}  // namespace skein::tools
