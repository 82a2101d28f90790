// SPDX-License-Identifier: Apache-2.0
#include "lb/libraries/problem.hpp"

#include <locale.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "lb/kernel/neighbours.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/libraries/library.hpp"
#include "lb/strategies/values.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// The most weights: none is below 1, so that more would exceed the sums by themselves.
constexpr std::uint64_t kMostCounted = 1 << 28;
/// The sum of part weights: small enough for libraries, and large enough that small parts do not round to 0.
constexpr double kPartWeightSum = 1 << 24;

/// Makes the calling thread use a decimal point while it exists, whatever setlocale() set: libraries format
/// and read their parameters as text ("bal=0.05").
class PlainLocale {
 public:
  PlainLocale() : before_(uselocale(plain())) {}
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;
  ~PlainLocale() { uselocale(before_); }

 private:
  static locale_t plain() {
    static const locale_t made = newlocale(LC_ALL_MASK, "C", nullptr);
    return made;
  }
  locale_t before_;
};

/// Returns positive integers in proportion to the values, adding up to about `sum`.
std::vector<std::int32_t> scaled(const std::vector<double>& values, double sum) {
  const double scale = sum / std::accumulate(values.begin(), values.end(), 0.0);
  std::vector<std::int32_t> weights;
  weights.reserve(values.size());
  for (double value : values) weights.push_back(weight_of(value * scale));
  return weights;
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
}

/// Sets the weights of the edges that have these bytes, and the costs of moves: in one unit, because they are
/// traded against each other, and small enough that the sums hold however much dearer a move is than an edge.
void weigh(PartitionProblem& problem, const Snapshot& snapshot, const std::vector<double>& bytes,
           std::optional<double> migration) {
  const Objects& objects = snapshot.objects;
  if (!migration) {
    problem.edge_weight = scaled(bytes, kWeightSum);
    return;
  }
  const double all = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  const double heaviest = bytes.empty() ? 1 : std::ranges::max(bytes);
  const double move = *migration * heaviest;
  const double mean =
      std::accumulate(objects.bytes.begin(), objects.bytes.end(), 0.0) / static_cast<double>(objects.size());
  double sizes = 0;
  for (const ObjectIndex i : problem.object_of) sizes += relative_size(objects.bytes[i], mean);
  const double scale = kEdgeAndMoveSum / (all + move * sizes);
  for (const double each : bytes) problem.edge_weight.push_back(weight_of(each * scale));
  for (const ObjectIndex i : problem.object_of) {
    problem.old_part.push_back(problem.part_of_pe[objects.pe[i]]);
    const bool may_stay = objects.migratable[i] && problem.old_part.back() >= 0;
    const double cost = move * relative_size(objects.bytes[i], mean);
    problem.move_cost.push_back(may_stay ? weight_of(cost * scale, 0) : 0);
  }
}

/// Returns the vertex of each object, -1 for objects that are none.
std::vector<std::int32_t> vertices_of(const PartitionProblem& problem, std::size_t object_count) {
  std::vector<std::int32_t> vertex_of(object_count, -1);
  for (std::size_t v = 0; v < problem.object_of.size(); ++v)
    vertex_of[problem.object_of[v]] = static_cast<std::int32_t>(v);
  return vertex_of;
}

/// Adds the hyperedges to the problem. Returns their bytes.
std::vector<double> build_hypergraph(PartitionProblem& problem, const Hypergraph& hypergraph,
                                     std::size_t object_count) {
  const std::vector<std::int32_t> vertex_of = vertices_of(problem, object_count);
  std::vector<double> bytes;
  problem.first_pin.push_back(0);
  for (std::size_t h = 0; h < hypergraph.hyperedge_count(); ++h) {
    const auto start = static_cast<std::size_t>(problem.first_pin.back());
    for (const ObjectIndex i : hypergraph.pins(h)) {
      if (vertex_of[i] >= 0) problem.pin.push_back(vertex_of[i]);
    }
    require_countable(problem.pin.size(), "objects that hyperedges join");
    if (problem.pin.size() < start + 2) {
      problem.pin.resize(start);
      continue;
    }
    problem.first_pin.push_back(static_cast<std::int32_t>(problem.pin.size()));
    bytes.push_back(hypergraph.bytes[h]);
  }
  return bytes;
}

/// Adds the edges to the problem. Returns their bytes.
std::vector<double> build_graph(PartitionProblem& problem, const Snapshot& snapshot) {
  const Neighbours links(snapshot);
  const std::vector<std::int32_t> vertex_of = vertices_of(problem, snapshot.object_count());
  std::vector<double> bytes;
  std::vector<std::pair<std::int32_t, double>> row;
  problem.first.push_back(0);
  for (const ObjectIndex i : problem.object_of) {
    row.clear();
    for (const Neighbours::Link& link : links.of(i)) {
      if (vertex_of[link.object] >= 0) row.emplace_back(vertex_of[link.object], link.bytes);
    }
    // Stable: both ends of an edge add up its bytes in the same order, so it gets the same weight at both.
    std::ranges::stable_sort(row, {}, &std::pair<std::int32_t, double>::first);
    for (const auto& [vertex, weight] : row) {
      if (std::cmp_less(problem.first.back(), bytes.size()) && problem.neighbour.back() == vertex) {
        bytes.back() += weight;
      } else {
        problem.neighbour.push_back(vertex);
        bytes.push_back(weight);
      }
    }
    require_countable(bytes.size(), "edges");
    problem.first.push_back(static_cast<std::int32_t>(bytes.size()));
  }
  return bytes;
}

Assignment level(const Snapshot& snapshot, Assignment pe_of, double tolerance) {
  Snapshot placed = snapshot;
  Assignment& pes = placed.objects.pe = std::move(pe_of);
  const double limit = tolerance * perfect_finish(placed);
  const auto exceeded = [&] { return std::ranges::max(finish_times(placed, pes)) > limit; };
  if (exceeded()) pes = refine_comm(placed, {.tolerance = tolerance, .sweeps = 0, .horizon = 0});
  if (exceeded()) pes = refine(placed, tolerance);
  return std::move(pes);
}

}  // namespace

std::int32_t weight_of(double value, double least) {
  return static_cast<std::int32_t>(std::max(least, std::round(value)));
}

double relative_size(std::uint64_t bytes, double mean) {
  return mean > 0 ? static_cast<double>(bytes) / mean : 1;
}

void choose_parts(PartitionProblem& problem, const std::vector<double>& portions, std::size_t movable,
                  const std::vector<bool>& gives) {
  problem.part_of_pe.assign(portions.size(), -1);
  for (PeIndex p = 0; p < portions.size(); ++p) {
    if (portions[p] > 0) problem.pe_of.push_back(p);
  }
  if (problem.pe_of.size() > movable) {
    std::ranges::stable_sort(problem.pe_of, std::greater{},
                             [&](PeIndex p) { return std::pair(portions[p], bool{gives[p]}); });
    problem.pe_of.resize(movable);
    std::ranges::sort(problem.pe_of);
  }
  std::vector<double> chosen;
  for (PeIndex p : problem.pe_of) {
    problem.part_of_pe[p] = static_cast<std::int32_t>(chosen.size());
    chosen.push_back(portions[p]);
  }
  // Equal portions get equal weights, whatever their number: some methods are faster for these.
  const bool equal = !chosen.empty() && std::ranges::all_of(chosen, [&](double c) {
    return std::abs(c - chosen[0]) <= chosen[0] * 1e-9;
  });
  problem.part_weight = equal ? std::vector<std::int32_t>(chosen.size(), 1) : scaled(chosen, kPartWeightSum);
}

PartitionRequest PartitionProblem::request(std::uint64_t seed, Flavour flavour) const {
  PartitionRequest request;
  request.first = first;
  request.neighbour = neighbour;
  request.first_pin = first_pin;
  request.pin = pin;
  request.edge_weight = edge_weight;
  request.vertex_weight = vertex_weight;
  request.part_weight = part_weight;
  request.fixed = fixed;
  request.old_part = old_part;
  request.move_cost = move_cost;
  request.position = position;
  request.first_of_process = first_of_process;
  request.flavour = flavour;
  request.seed = static_cast<std::uint32_t>(seed);
  return request;
}

void require_countable(std::uint64_t count, const char* what) {
  if (count <= kMostCounted) return;
  throw StrategyError("partitioning libraries count in 32 bits, and there are more than " +
                      std::to_string(kMostCounted) + " " + what +
                      ", which they cannot take; use refine-comm or bipart");
}

namespace {

PartitionProblem choose_parts_and_vertices(const Snapshot& snapshot, Pinned pinned) {
  require_countable(snapshot.object_count(), "objects");
  PartitionProblem problem;
  std::vector<ObjectIndex> movable = movable_objects(snapshot.objects);
  std::vector<bool> gives(snapshot.pe_count(), false);
  for (const ObjectIndex i : movable) gives[snapshot.objects.pe[i]] = true;
  choose_parts(problem, movable_portions(snapshot), movable.size(), gives);
  choose_vertices(problem, snapshot, std::move(movable), pinned);
  return problem;
}

}  // namespace

PartitionProblem make_partition_problem(const Snapshot& snapshot, Pinned pinned,
                                        std::optional<double> migration) {
  PartitionProblem problem = choose_parts_and_vertices(snapshot, pinned);
  weigh(problem, snapshot, build_graph(problem, snapshot), migration);
  return problem;
}

PartitionProblem make_partition_problem(const Snapshot& snapshot, const Hypergraph& hypergraph,
                                        std::optional<double> migration) {
  PartitionProblem problem = choose_parts_and_vertices(snapshot, Pinned::as_fixed_vertices);
  weigh(problem, snapshot, build_hypergraph(problem, hypergraph, snapshot.object_count()), migration);
  return problem;
}

std::vector<std::int32_t> partition(Trait library, const PartitionRequest& request) {
  std::vector<std::int32_t> part(request.vertex_weight.size(), 0);
  const Partitioner partitioner = load_partitioner(library);
  const PlainLocale plain;
  if (const char* failure = partitioner.partition(request, part))
    throw std::runtime_error(std::string(partitioner.name) + ": " + failure);
  return part;
}

Assignment solve(Trait library, const Snapshot& snapshot, const PartitionProblem& problem,
                 PartitionRequest request, double tolerance) {
  if (problem.pe_of.empty()) return snapshot.objects.pe;
  request.tolerance = tolerance - 1;
  std::vector<std::int32_t> part(problem.object_of.size(), 0);
  if (problem.pe_of.size() > 1) part = partition(library, request);
  Assignment pe_of = snapshot.objects.pe;
  for (std::size_t v = 0; v < part.size(); ++v) {
    const ObjectIndex i = problem.object_of[v];
    if (snapshot.objects.migratable[i]) pe_of[i] = problem.pe_of[static_cast<std::size_t>(part[v])];
  }
  return level(snapshot, std::move(pe_of), tolerance);
}

}  // namespace skein::lb
