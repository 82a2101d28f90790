// SPDX-License-Identifier: Apache-2.0
#include "lb/libraries/problem.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "lb/kernel/neighbours.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/libraries/library.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

// Partitioners add weights up in 32 bits, and some of them double the sums.
constexpr double kWeightSum = 1 << 28;
// Parts far below their fair share would be lost in rounding, and libraries refuse weights of 0.
constexpr double kPartWeightSum = 1 << 24;

// Positive integers in proportion to the values, adding up to about `sum`.
std::vector<std::int32_t> scaled(const std::vector<double>& values, double sum) {
  const double scale = sum / std::accumulate(values.begin(), values.end(), 0.0);
  std::vector<std::int32_t> weights;
  weights.reserve(values.size());
  for (double value : values)
    weights.push_back(static_cast<std::int32_t>(std::max(1.0, std::round(value * scale))));
  return weights;
}

void choose_parts(PartitionProblem& problem, const Snapshot& snapshot, std::size_t movable) {
  const std::vector<double> portions = movable_portions(snapshot);
  problem.part_of_pe.assign(portions.size(), -1);
  for (PeIndex p = 0; p < portions.size(); ++p) {
    if (portions[p] > 0) problem.pe_of.push_back(p);
  }
  if (problem.pe_of.size() > movable) {
    std::ranges::stable_sort(problem.pe_of, std::greater{}, [&](PeIndex p) { return portions[p]; });
    problem.pe_of.resize(movable);
    std::ranges::sort(problem.pe_of);
  }
  std::vector<double> chosen;
  for (PeIndex p : problem.pe_of) {
    problem.part_of_pe[p] = static_cast<std::int32_t>(chosen.size());
    chosen.push_back(portions[p]);
  }
  // Equal portions get equal weights whatever their number, since some methods are faster for these.
  const bool equal = !chosen.empty() && std::ranges::all_of(chosen, [&](double c) {
    return std::abs(c - chosen[0]) <= chosen[0] * 1e-9;
  });
  problem.part_weight = equal ? std::vector<std::int32_t>(chosen.size(), 1) : scaled(chosen, kPartWeightSum);
}

void choose_vertices(PartitionProblem& problem, const Snapshot& snapshot, std::vector<ObjectIndex> movable,
                     Pinned pinned) {
  const Objects& objects = snapshot.objects;
  std::vector<double> loads;
  for (ObjectIndex i : movable) loads.push_back(objects.load[i]);
  problem.vertex_weight = scaled(loads, kWeightSum);
  problem.object_of = std::move(movable);
  if (pinned == Pinned::as_fixed_vertices) {
    const std::size_t free = problem.object_of.size();
    for (ObjectIndex i = 0; i < objects.size(); ++i) {
      const std::int32_t part = problem.part_of_pe[objects.pe[i]];
      if (objects.migratable[i] || part < 0) continue;
      if (problem.fixed.empty()) problem.fixed.assign(free, -1);
      problem.object_of.push_back(i);
      problem.vertex_weight.push_back(0);
      problem.fixed.push_back(part);
    }
  }
  for (ObjectIndex i : problem.object_of) problem.old_part.push_back(problem.part_of_pe[objects.pe[i]]);
}

void build_graph(PartitionProblem& problem, const Snapshot& snapshot) {
  const Neighbours links(snapshot);
  std::vector<std::int32_t> vertex_of(snapshot.object_count(), -1);
  for (std::size_t v = 0; v < problem.object_of.size(); ++v)
    vertex_of[problem.object_of[v]] = static_cast<std::int32_t>(v);

  std::vector<double> bytes;
  std::vector<std::pair<std::int32_t, double>> row;
  problem.first.push_back(0);
  for (const ObjectIndex i : problem.object_of) {
    row.clear();
    for (const Neighbours::Link& link : links.of(i)) {
      if (vertex_of[link.object] >= 0) row.emplace_back(vertex_of[link.object], link.bytes);
    }
    // Stable: both ends of an edge add up its bytes in the same order, and get the same weight.
    std::ranges::stable_sort(row, {}, &std::pair<std::int32_t, double>::first);
    for (const auto& [vertex, weight] : row) {
      if (std::cmp_less(problem.first.back(), bytes.size()) && problem.neighbour.back() == vertex) {
        bytes.back() += weight;
      } else {
        problem.neighbour.push_back(vertex);
        bytes.push_back(weight);
      }
    }
    problem.first.push_back(static_cast<std::int32_t>(bytes.size()));
  }
  if (bytes.empty()) return;
  problem.edge_weight = scaled(bytes, kWeightSum);
  problem.largest_edge_weight = std::ranges::max(problem.edge_weight);
}

Assignment level(const Snapshot& snapshot, Assignment pe_of, double tolerance) {
  Snapshot placed = snapshot;
  placed.objects.pe = std::move(pe_of);
  for (const char* strategy : {"refine-comm:sweeps=0,tolerance=", "refine:tolerance="}) {
    const double largest = std::ranges::max(finish_times(placed, placed.objects.pe));
    if (largest <= tolerance * perfect_finish(placed)) break;
    const Selection refine = parse_strategy(strategy + std::to_string(tolerance));
    placed.objects.pe = refine.info->assign(placed, refine.options, 0);
  }
  return std::move(placed.objects.pe);
}

}  // namespace

PartitionRequest PartitionProblem::request() const {
  PartitionRequest request;
  request.first = first;
  request.neighbour = neighbour;
  request.edge_weight = edge_weight;
  request.vertex_weight = vertex_weight;
  request.part_weight = part_weight;
  request.fixed = fixed;
  return request;
}

PartitionProblem make_partition_problem(const Snapshot& snapshot, Pinned pinned) {
  PartitionProblem problem;
  std::vector<ObjectIndex> movable = movable_objects(snapshot.objects);
  choose_parts(problem, snapshot, movable.size());
  choose_vertices(problem, snapshot, std::move(movable), pinned);
  build_graph(problem, snapshot);
  return problem;
}

Assignment solve(std::string_view name, const Snapshot& snapshot, const PartitionProblem& problem,
                 const PartitionRequest& request, double tolerance) {
  if (problem.pe_of.empty()) return snapshot.objects.pe;
  std::vector<std::int32_t> part(problem.object_of.size(), 0);
  if (problem.pe_of.size() > 1) {
    const PartitionFunction partition = load_partitioner(*parse_strategy(name).info);
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    if (const char* failure = partition(request, part))
      throw std::runtime_error("strategy '" + std::string(name) + "': " + failure);
  }
  Assignment pe_of = snapshot.objects.pe;
  for (std::size_t v = 0; v < part.size(); ++v) {
    const ObjectIndex i = problem.object_of[v];
    if (snapshot.objects.migratable[i]) pe_of[i] = problem.pe_of[static_cast<std::size_t>(part[v])];
  }
  return level(snapshot, std::move(pe_of), tolerance);
}

}  // namespace skein::lb
