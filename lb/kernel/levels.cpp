// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/levels.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// Returns these objects' rows of an optional array with `width` values each.
template <class T>
std::vector<T> rows_of(const std::vector<T>& all, std::span<const ObjectIndex> objects,
                       std::size_t width = 1) {
  std::vector<T> rows;
  for (std::size_t k = 0; !all.empty() && k < objects.size(); ++k)
    rows.insert(rows.end(), all.begin() + static_cast<std::ptrdiff_t>(objects[k] * width),
                all.begin() + static_cast<std::ptrdiff_t>((objects[k] + 1) * width));
  return rows;
}

Objects objects_of(const Objects& all, std::span<const ObjectIndex> objects) {
  return {.id = rows_of(all.id, objects),
          .pe = rows_of(all.pe, objects),
          .load = rows_of(all.load, objects),
          .bytes = rows_of(all.bytes, objects),
          .migratable = rows_of(all.migratable, objects),
          .splittable = rows_of(all.splittable, objects),
          .level = rows_of(all.level, objects),
          .position = rows_of(all.position, objects),
          .subphases = rows_of(all.subphases, objects, all.subphase_count),
          .counters = rows_of(all.counters, objects, all.counter_count),
          .subphase_count = all.subphase_count,
          .counter_count = all.counter_count};
}

/// `place[i]`: the index of object i in its level; `level_of[i]`: its level.
CommGraph graph_of(const CommGraph& all, const Level& level, std::span<const ObjectIndex> place,
                   std::span<const std::int32_t> level_of) {
  if (all.empty()) return {};
  std::vector<CommEdge> edges;
  for (const ObjectIndex from : level.objects)
    for (std::uint64_t e = all.first[from]; e < all.first[from + 1]; ++e)
      if (const ObjectIndex to = all.to[e]; level_of[to] == level_of[from])
        edges.push_back({place[from], place[to], all.bytes[e], all.messages[e]});
  return make_comm_graph(level.objects.size(), edges);
}

Hypergraph hypergraph_of(const Hypergraph& all, std::int32_t number, const Level& level,
                         std::span<const ObjectIndex> place, std::span<const std::int32_t> level_of) {
  if (all.empty()) return {};
  std::vector<Hyperedge> hyperedges;
  for (std::size_t h = 0; h < all.hyperedge_count(); ++h) {
    Hyperedge part{{}, all.bytes[h]};
    for (const ObjectIndex i : all.pins(h))
      if (level_of[i] == number) part.objects.push_back(place[i]);
    if (part.objects.size() > 1) hyperedges.push_back(std::move(part));
  }
  return make_hypergraph(level.objects.size(), hyperedges);
}

double total_load(const std::vector<double>& loads) {
  return std::accumulate(loads.begin(), loads.end(), 0.0);
}

}  // namespace

std::vector<Level> levels_of(const Snapshot& snapshot) {
  const std::vector<std::int32_t>& level_of = snapshot.objects.level;
  std::map<std::int32_t, Level> levels;
  std::vector<ObjectIndex> place;
  for (ObjectIndex i = 0; i < level_of.size(); ++i) {
    std::vector<ObjectIndex>& objects = levels[level_of[i]].objects;
    place.push_back(static_cast<ObjectIndex>(objects.size()));
    objects.push_back(i);
  }
  const double all_load = total_load(snapshot.objects.load);
  std::vector<Level> found;
  for (auto& [number, level] : levels) {
    Snapshot& alone = level.alone;
    alone.objects = objects_of(snapshot.objects, level.objects);
    alone.pes = snapshot.pes;
    alone.pes.memory_bytes.clear();
    alone.pes.cells.clear();
    for (double& background : alone.pes.background_s)
      background *= all_load > 0 ? total_load(alone.objects.load) / all_load : 0;
    alone.graph = graph_of(snapshot.graph, level, place, level_of);
    alone.hypergraph = hypergraph_of(snapshot.hypergraph, number, level, place, level_of);
    alone.blocks = {rows_of(snapshot.blocks.of_object, level.objects), snapshot.blocks.bytes,
                    snapshot.blocks.home};
    alone.topology = snapshot.topology;
    alone.step = snapshot.step;
    alone.interval_s = snapshot.interval_s;
    alone.interval_points = snapshot.interval_points;
    found.push_back(std::move(level));
  }
  return found;
}

double computing_seconds(const Snapshot& snapshot, const Decision& decision) {
  const Objects& objects = snapshot.objects;
  const std::vector<double>& speed = snapshot.pes.speed;
  if (objects.level.empty()) return std::ranges::max(finish_times(snapshot, decision));
  std::map<std::int32_t, std::vector<double>> load_of;  // by level, on each PE
  std::map<std::int32_t, double> share_of;              // of all load, by level
  const double all = total_load(objects.load);
  for (ObjectIndex i = 0; i < objects.size(); ++i) {
    std::vector<double>& loads = load_of[objects.level[i]];
    loads.resize(speed.size());
    loads[decision.pe_of[i]] += objects.load[i];
    share_of[objects.level[i]] += all > 0 ? objects.load[i] / all : 0;
  }
  for (const Split& split : decision.splits) {
    std::vector<double>& loads = load_of[objects.level[split.object]];
    const double part = split.fraction * objects.load[split.object];
    loads[decision.pe_of[split.object]] -= part;
    loads[split.pe] += part;
  }
  double sum = 0;
  for (const auto& [level, loads] : load_of) {
    double largest = 0;
    for (std::size_t p = 0; p < speed.size(); ++p)
      largest = std::max(largest, snapshot.pes.background_s[p] * share_of[level] + loads[p] / speed[p]);
    sum += largest;
  }
  return sum;
}

}  // namespace skein::lb
