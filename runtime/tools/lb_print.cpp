// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/lb_print.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "runtime/base/error.hpp"
#include "runtime/tools/output.hpp"
#include "skein/lb/diffusion_forecast.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::tools {
namespace {

using nlohmann::ordered_json;

/// Returns null for infinity, which JSON lacks.
ordered_json finite(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

void print_line(const ordered_json& line) { puts(line.dump().c_str()); }

ordered_json head_of(const lb::LoadPhase& phase) {
  return {{"phase", phase.id},
          {"objects", phase.snapshot.object_count()},
          {"pes", phase.snapshot.pe_count()},
          {"edges", phase.snapshot.graph.edge_count()},
          {"hyperedges", phase.snapshot.hypergraph.hyperedge_count()},
          {"shared_blocks", phase.snapshot.blocks.block_count()}};
}

void print_head(const lb::LoadPhase& phase) {
  const lb::Snapshot& snapshot = phase.snapshot;
  printf("phase %llu: %zu objects on %zu PEs, ", wide(phase.id), snapshot.object_count(),
         snapshot.pe_count());
  if (snapshot.graph.empty())
    printf("no communication graph");
  else
    printf("%zu edges", snapshot.graph.edge_count());
  if (!snapshot.hypergraph.empty()) printf(", %zu hyperedges", snapshot.hypergraph.hyperedge_count());
  if (!snapshot.blocks.empty()) printf(", %zu shared blocks", snapshot.blocks.block_count());
}

ordered_json row_of(const lb::ComparisonRow& row, const lb::Merit& before) {
  ordered_json line = {{"strategy", row.strategy}};
  if (row.why) {
    line["unavailable"] = *row.why;
    return line;
  }
  if (!row.chosen.empty()) line["chosen"] = row.chosen;
  const lb::Merit& after = row.merit;
  line.update({{"imbalance_before_percent", before.imbalance},
               {"imbalance_after_percent", after.imbalance},
               {"standard_deviation_s", after.standard_deviation_s},
               {"skewness", after.skewness},
               {"kurtosis", after.kurtosis},
               {"objects_moved", after.movement.objects},
               {"bytes_moved", after.movement.bytes},
               {"parts_split_off", after.parts},
               {"idle_pes", after.idle_pes},
               {"levels_s", after.levels_s},
               {"max_in_objects", after.movement.max_in_objects},
               {"max_out_objects", after.movement.max_out_objects},
               {"max_in_moved_bytes", after.movement.max_in_bytes},
               {"max_out_moved_bytes", after.movement.max_out_bytes},
               {"cut_bytes", after.traffic.remote_bytes},
               {"cut_edges", after.traffic.cut_edges},
               {"hyperedge_cut_bytes", after.joined.cut_bytes},
               {"cut_hyperedges", after.joined.cut_hyperedges},
               {"blocks_away_bytes", after.away_bytes},
               {"remote_to_local", finite(after.traffic.remote_to_local())},
               {"max_in_bytes", after.traffic.max_in_bytes},
               {"max_out_bytes", after.traffic.max_out_bytes},
               {"decide_s", row.decision_s},
               {"move_s", after.movement_s},
               {"step_s", after.step_s},
               {"total_s", row.total_s}});
  return line;
}

/// Returns the name; "auto: refine" if the model chose refine.
std::string name_of(const lb::ComparisonRow& row) {
  return row.chosen.empty() ? row.strategy : row.strategy + ": " + row.chosen;
}

void print_table(std::span<const lb::ComparisonRow> rows, const lb::Merit& before) {
  int width = 8;
  for (const lb::ComparisonRow& row : rows) width = std::max(width, static_cast<int>(name_of(row).size()));
  printf("%-*s %18s %9s %10s %10s %8s %10s %9s %10s %10s\n", width, "strategy", "imbalance %", "moved",
         "moved MB", "cut MB", "rem/loc", "decide ms", "move s", "step s", "total s");
  for (const lb::ComparisonRow& row : rows) {
    if (row.why) continue;
    const lb::Merit& after = row.merit;
    printf("%-*s %18s %9llu %10.4g %10.4g %8.3g %10.4g %9.4g %10.4g %10.5g\n", width, name_of(row).c_str(),
           format("%.1f -> %.1f", before.imbalance, after.imbalance).c_str(), wide(after.movement.objects),
           static_cast<double>(after.movement.bytes) * 1e-6, after.traffic.remote_bytes * 1e-6,
           after.traffic.remote_to_local(), row.decision_s * 1e3, after.movement_s, after.step_s,
           row.total_s);
  }
  for (const lb::ComparisonRow& row : rows)
    if (row.merit.joined.cut_hyperedges > 0)
      printf("%-*s cuts %llu hyperedges, by %.4g MB\n", width, name_of(row).c_str(),
             wide(row.merit.joined.cut_hyperedges), row.merit.joined.cut_bytes * 1e-6);
  for (const lb::ComparisonRow& row : rows)
    if (row.merit.away_bytes > 0)
      printf("%-*s has %.4g MB of shared blocks away from home\n", width, name_of(row).c_str(),
             row.merit.away_bytes * 1e-6);
  for (const lb::ComparisonRow& row : rows)
    if (row.merit.parts > 0)
      printf("%s splits %zu parts off objects\n", name_of(row).c_str(), row.merit.parts);
  for (const lb::ComparisonRow& row : rows)
    if (row.why) printf("%-*s cannot be used: %s\n", width, row.strategy.c_str(), row.why->c_str());
}

/// A measure of a placement, in the order of printing.
struct Measure {
  const char* name;  ///< in JSON
  const char* text;
  double value;
};
std::vector<Measure> measure(const lb::Snapshot& snapshot, const lb::Options& diffusion) {
  const std::vector<double> finish = lb::finish_times(snapshot, snapshot.objects.pe);
  const lb::Communication traffic = lb::communication(snapshot, snapshot.objects.pe);
  std::vector<Measure> measures = {
      {"imbalance_percent", "percent imbalance", lb::percent_imbalance(snapshot, snapshot.objects.pe)},
      {"largest_finish_s", "largest finish time, s", std::ranges::max(finish)},
      {"perfect_finish_s", "perfect finish time, s", lb::perfect_finish(snapshot)},
      {"standard_deviation_s", "standard deviation, s", lb::standard_deviation(finish)},
      {"skewness", "skewness", lb::skewness(finish)},
      {"kurtosis", "kurtosis", lb::kurtosis(finish)},
      {"convergence_steps", "steps of diffusion", lb::convergence_steps(snapshot, diffusion)},
  };
  if (!snapshot.hypergraph.empty()) {
    const lb::Connectivity joined = lb::connectivity(snapshot, snapshot.objects.pe);
    measures.insert(measures.end(),
                    {{"hyperedge_cut_bytes", "hyperedges, bytes cut", joined.cut_bytes},
                     {"cut_hyperedges", "hyperedges cut", static_cast<double>(joined.cut_hyperedges)}});
  }
  if (!snapshot.blocks.empty())
    measures.push_back(
        {"blocks_away_bytes", "bytes of blocks away", lb::away_bytes(snapshot, snapshot.objects.pe)});
  if (snapshot.graph.empty()) return measures;
  measures.insert(measures.end(), {{"cut_bytes", "bytes between PEs", traffic.remote_bytes},
                                   {"cut_edges", "edges between PEs", static_cast<double>(traffic.cut_edges)},
                                   {"local_bytes", "bytes inside PEs", traffic.local_bytes},
                                   {"remote_to_local", "remote to local", traffic.remote_to_local()},
                                   {"max_in_bytes", "most bytes into a PE", traffic.max_in_bytes},
                                   {"max_out_bytes", "most bytes out of a PE", traffic.max_out_bytes}});
  return measures;
}

/// Prints the measures under a heading, one a line; in JSON all in one line that begins with `head`.
void print_measures(ordered_json head, const std::vector<Measure>& measures, bool json) {
  for (const Measure& each : measures)
    if (json)
      head[each.name] = finite(each.value);
    else
      printf("  %-24s %.6g\n", each.text, each.value);
  if (json) print_line(head);
}

}  // namespace

void print_comparison(const lb::LoadPhase& phase, const lb::Merit& before,
                      std::span<const lb::ComparisonRow> rows, const LbOptions& options) {
  if (options.json) {
    ordered_json line = head_of(phase);
    line["steps"] = options.steps;
    for (const lb::ComparisonRow& row : rows) line["rows"].push_back(row_of(row, before));
    print_line(line);
    return;
  }
  print_head(phase);
  printf("; a step takes %.4g s; totals of %g steps\n", before.step_s, options.steps);
  print_table(rows, before);
}

void print_metrics(const lb::LoadPhase& phase, const lb::Options& diffusion, const LbOptions& options) {
  if (!options.json) {
    print_head(phase);
    printf("\n");
  }
  print_measures(head_of(phase), measure(phase.snapshot, diffusion), options.json);
}

void print_run(std::span<const lb::LoadPhase> phases, const LbOptions& options) {
  std::vector<std::vector<double>> steps;
  for (const lb::LoadPhase& phase : phases)
    steps.push_back(lb::finish_times(phase.snapshot, phase.snapshot.objects.pe));
  const lb::Utilisation used = lb::utilisation(steps);
  if (!options.json) printf("all %zu phases\n", phases.size());
  print_measures({{"phases", phases.size()}},
                 {{"imbalance_ratio", "imbalance ratio", used.imbalance_ratio},
                  {"average_deviation", "average deviation", used.average_deviation},
                  {"idle_percent", "idle PEs, %", used.idle_percentage}},
                 options.json);
}

void print_application(const lb::LoadPhase& phase, const lb::Assignment& assignment) {
  const lb::Snapshot& snapshot = phase.snapshot;
  const lb::Movement moved = lb::movement(snapshot, assignment);
  print_head(phase);
  printf(": imbalance %.1f %% -> %.1f %%, %llu objects of %.4g MB moved\n",
         lb::percent_imbalance(snapshot, snapshot.objects.pe), lb::percent_imbalance(snapshot, assignment),
         wide(moved.objects), static_cast<double>(moved.bytes) * 1e-6);
}

}  // namespace skein::tools
