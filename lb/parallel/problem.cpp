// SPDX-License-Identifier: Apache-2.0
#include "lb/parallel/problem.hpp"

#include <algorithm>
#include <exception>
#include <numeric>
#include <string>
#include <utility>

#include "lb/kernel/portions.hpp"
#include "lb/strategies/values.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/team_messages.hpp"

namespace skein::lb {
namespace {

struct ObjectLink {
  ObjectIndex of, to;
  double bytes;
};

bool moves(const Objects& objects, ObjectIndex i) { return objects.migratable[i] && objects.load[i] > 0; }

/// Sums over the objects of all processes.
struct Sums {
  std::vector<double> pinned;  // load, by PE
  std::vector<double> giving;  // movable objects, by PE
  double movable_load = 0, movable = 0;
};

Sums sum_objects(const SnapshotPart& part, Team& team) {
  const std::size_t pes = part.pe_count();
  std::vector<double> all(2 * pes + 1, 0);
  for (ObjectIndex i = 0; i < part.object_count(); ++i) {
    const PeIndex pe = part.objects.pe[i];
    const double load = part.objects.load[i];
    if (!part.objects.migratable[i]) all[pe] += load;
    if (!moves(part.objects, i)) continue;
    ++all[pes + pe];
    all[2 * pes] += load;
  }
  team.sum(all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(pes);
  Sums sums{{all.begin(), middle}, {middle, all.end() - 1}, all.back()};
  sums.movable = std::accumulate(sums.giving.begin(), sums.giving.end(), 0.0);
  return sums;
}

void choose_parts(PartitionProblem& problem, const SnapshotPart& part, const Sums& sums, Team& team) {
  std::vector<double> pinned = part.pes.background_s;
  for (std::size_t p = 0; p < pinned.size(); ++p) pinned[p] += sums.pinned[p] / part.pes.speed[p];
  const double perfect = perfect_finish(part.pes, finish_times(part, part.objects.pe, team));
  std::vector<bool> gives;
  for (const double count : sums.giving) gives.push_back(count > 0);
  choose_parts(problem, movable_portions(part.pes, perfect, pinned, sums.movable_load),
               static_cast<std::size_t>(sums.movable), gives);
}

/// Weighs edges and moves as weigh() does for problems of one process.
void weigh_graph(PartitionProblem& problem, const SnapshotPart& part, const PartNeighbours& rows,
                 std::optional<double> migration, Team& team) {
  const double own = std::accumulate(rows.bytes.begin(), rows.bytes.end(), 0.0);
  const double all = sum(own, team);
  const double heaviest = largest(rows.bytes.empty() ? 0 : std::ranges::max(rows.bytes), team);
  const double move = migration ? *migration * (heaviest > 0 ? heaviest : 1) : 0;
  const auto& sizes = part.objects.bytes;
  const double held = sum(std::accumulate(sizes.begin(), sizes.end(), 0.0), team);
  // Relative sizes of all objects add up to the number of objects.
  const double count = part.first.back(), mean = held / count;
  const double everything = all + move * count;
  const double scale = (migration ? kEdgeAndMoveSum : kWeightSum) / (everything > 0 ? everything : 1);
  for (const double bytes : rows.bytes) problem.edge_weight.push_back(weight_of(bytes * scale));
  if (!migration) return;
  for (ObjectIndex i = 0; i < part.object_count(); ++i) {
    const double cost = move * relative_size(sizes[i], mean);
    problem.move_cost.push_back(
        moves(part.objects, i) && problem.old_part[i] >= 0 ? weight_of(cost * scale, 0) : 0);
  }
}

/// Levels the finish times: one process after the other moves its own objects from PEs above the tolerance.
Assignment level(const SnapshotPart& part, Assignment pe_of, double tolerance, Team& team) {
  for (std::size_t turn = 0; turn < team.size(); ++turn) {
    const std::vector<double> finish = finish_times(part, pe_of, team);
    if (std::ranges::max(finish) <= tolerance * perfect_finish(part.pes, finish)) break;
    if (turn != team.rank()) continue;
    pe_of = refine(seen_by_one(part, pe_of, finish), tolerance);
  }
  return pe_of;
}

}  // namespace

/// Each direction has one edge at most, so that both ends add up the same two numbers.
PartNeighbours part_neighbours(const SnapshotPart& part, Team& team) {
  const ObjectIndex first = part.first[team.rank()];
  std::vector<ObjectLink> links;
  Lists<ObjectLink> to_others(team.size());
  for (ObjectIndex i = 0; i < part.object_count() && !part.graph.empty(); ++i) {
    const ObjectIndex own = first + i;
    for (std::uint64_t e = part.graph.first[i]; e < part.graph.first[i + 1]; ++e) {
      const ObjectIndex to = part.graph.to[e];
      if (to == own) continue;
      links.push_back({own, to, part.graph.bytes[e]});
      to_others[part.process_of(to)].push_back({to, own, part.graph.bytes[e]});
    }
  }
  for (const auto& came : exchange_lists(to_others, team))
    links.insert(links.end(), came.begin(), came.end());
  std::ranges::sort(links, {}, [](const ObjectLink& link) { return std::pair(link.of, link.to); });

  PartNeighbours rows;
  rows.first.push_back(0);
  std::size_t at = 0;
  for (ObjectIndex i = 0; i < part.object_count(); ++i) {
    for (; at < links.size() && links[at].of == first + i; ++at) {
      if (rows.to.size() > rows.first.back() && rows.to.back() == links[at].to) {
        rows.bytes.back() += links[at].bytes;
      } else {
        rows.to.push_back(links[at].to);
        rows.bytes.push_back(links[at].bytes);
      }
    }
    rows.first.push_back(rows.to.size());
  }
  return rows;
}

Snapshot seen_by_one(const SnapshotPart& part, const Assignment& pe_of, const std::vector<double>& finish) {
  Snapshot own;
  own.objects = part.objects;
  own.objects.pe = pe_of;
  own.pes = part.pes;
  std::vector<double> mine(part.pe_count(), 0);
  for (std::size_t i = 0; i < pe_of.size(); ++i) mine[pe_of[i]] += part.objects.load[i];
  for (std::size_t p = 0; p < mine.size(); ++p)
    own.pes.background_s[p] = std::max(0.0, finish[p] - mine[p] / part.pes.speed[p]);
  return own;
}

PartitionProblem make_part_problem(const SnapshotPart& part, const ProblemParts& wanted, Team& team) {
  require_countable(part.first.back(), "objects");
  const Sums sums = sum_objects(part, team);
  PartitionProblem problem;
  choose_parts(problem, part, sums, team);
  problem.object_of.resize(part.object_count());
  std::iota(problem.object_of.begin(), problem.object_of.end(), ObjectIndex{0});
  for (const ObjectIndex number : part.first)
    problem.first_of_process.push_back(static_cast<std::int32_t>(number));
  const double scale = kWeightSum / (sums.movable_load > 0 ? sums.movable_load : 1);
  for (ObjectIndex i = 0; i < part.object_count(); ++i) {
    const double load = part.objects.load[i];
    problem.vertex_weight.push_back(moves(part.objects, i) ? weight_of(load * scale) : 0);
    problem.old_part.push_back(problem.part_of_pe[part.objects.pe[i]]);
    if (wanted.fixed) problem.fixed.push_back(part.objects.migratable[i] ? -1 : problem.old_part[i]);
  }
  if (wanted.fixed && !any(std::ranges::any_of(problem.fixed, [](auto p) { return p >= 0; }), team))
    problem.fixed.clear();
  if (wanted.positions) problem.position = part.objects.position;
  if (wanted.graph) {
    const PartNeighbours rows = part_neighbours(part, team);
    require_countable(static_cast<std::uint64_t>(sum(static_cast<double>(rows.to.size()), team)), "edges");
    problem.first.assign(rows.first.begin(), rows.first.end());
    problem.neighbour.assign(rows.to.begin(), rows.to.end());
    weigh_graph(problem, part, rows, wanted.migration, team);
  }
  if (!wanted.migration) problem.old_part.clear();
  return problem;
}

Assignment solve_part(std::uint32_t library, const SnapshotPart& part, const PartitionProblem& problem,
                      PartitionRequest request, double tolerance, Team& team) {
  if (problem.pe_of.empty()) return part.objects.pe;
  std::vector<std::int32_t> part_of(part.object_count(), 0);
  if (problem.pe_of.size() > 1) {
    request.tolerance = tolerance - 1;
    request.communicator = team.communicator();
    std::string failure;  // all processes must know it before they go on
    try {
      part_of = partition(static_cast<Trait>(library), request);
    } catch (const std::exception& error) {
      failure = error.what();
    }
    agree_on(failure, team);
  }
  Assignment pe_of = part.objects.pe;
  for (ObjectIndex i = 0; i < part.object_count(); ++i)
    if (moves(part.objects, i)) pe_of[i] = problem.pe_of[static_cast<std::size_t>(part_of[i])];
  return level(part, std::move(pe_of), tolerance, team);
}

Assignment partition_by_position(Flavour method, const SnapshotPart& part, std::uint64_t seed, Team& team) {
  // Zoltan cuts with a tolerance; a single process cuts without any, and is levelled to this one.
  constexpr double kTolerance = 1.05;
  const PartitionProblem problem = make_part_problem(part, {.positions = true}, team);
  return solve_part(uses_zoltan, part, problem, problem.request(seed, method), kTolerance, team);
}

}  // namespace skein::lb
