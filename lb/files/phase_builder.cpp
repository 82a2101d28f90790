// SPDX-License-Identifier: Apache-2.0
#include "lb/files/phase_builder.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

namespace skein::lb {
namespace {

/// Beyond a small size a table of the snapshot may exceed the file's entries only by this factor, so that a
/// few bytes of text cannot ask for gigabytes.
constexpr std::size_t kFreeCells = 1 << 20, kCellsPerEntry = 256;

bool in_proportion(std::size_t rows, std::size_t columns, std::size_t entries) {
  return columns == 0 || rows <= (kFreeCells + kCellsPerEntry * entries) / columns;
}

/// Parses "0/2/5" to {0, 2, 5}. Returns an empty way unless it rises from 0.
std::vector<std::uint32_t> parse_way(std::string_view text) {
  std::vector<std::uint32_t> way;
  for (const char *at = text.data(), *end = at + text.size();; ++at) {
    std::uint32_t vertex = 0;
    const auto [stop, error] = std::from_chars(at, end, vertex);
    const bool rises = way.empty() ? vertex == 0 : vertex > way.back();
    if (error != std::errc{} || !rises) return {};
    way.push_back(vertex);
    if (stop == end) return way;
    if (*stop != '/') return {};
    at = stop;
  }
}

/// Parses "2e-06/5e-07". Returns `count` numbers, none negative, or none if the text has others.
std::vector<float> parse_costs(std::string_view text, std::size_t count) {
  std::vector<float> costs;
  for (const char *at = text.data(), *end = at + text.size();; ++at) {
    float cost = 0;
    const auto [stop, error] = std::from_chars(at, end, cost);
    if (error != std::errc{} || !(cost >= 0 && cost <= std::numeric_limits<float>::max())) return {};
    costs.push_back(cost);
    at = stop;
    if (at == end) break;
    if (*at != '/' || costs.size() == count) return {};
  }
  if (costs.size() != count) costs.clear();
  return costs;
}

}  // namespace

void PhaseBuilder::add_task(const TaskRecord& task, FilePlace place) {
  if (!index_of_.emplace(task.id, static_cast<ObjectIndex>(places_.size())).second)
    throw JsonFault{"entity", "is object " + std::to_string(task.id) + ", which stands there twice"};
  if (places_.size() == std::numeric_limits<ObjectIndex>::max())
    throw JsonFault{"", "is one object more than a snapshot can have"};
  const ObjectIndex i = snapshot_.add_object({.id = task.id,
                                              .pe = static_cast<PeIndex>(task.pe),
                                              .load = task.time,
                                              .bytes = task.bytes,
                                              .migratable = task.migratable});
  places_.push_back(place);
  positions_.push_back(task.position);
  for (const TaskRecord::Subphase& part : task.subphases) subphases_.push_back({i, part});
  for (std::uint32_t c = 0; c < task.counters.size(); ++c) counters_.push_back({i, c, task.counters[c]});
  splittable_.push_back(task.splittable.value_or(false));
  has_splittable_ = has_splittable_ || task.splittable;
  levels_.push_back(task.level);
  blocks_.push_back(task.block);
  record_pe(task.pe);
}

void PhaseBuilder::add_pe(const PeRecord& pe, FilePlace place) {
  pes_.emplace_back(pe, place);
  record_pe(pe.pe);
}

void PhaseBuilder::finish_positions(Objects& objects, const Fail& fail) {
  const auto given = [](const auto& position) { return position.has_value(); };
  if (std::ranges::none_of(positions_, given)) return;
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    if (!positions_[i]) fail(places_[i], "tasks", "has no position, but others have one");
    objects.position.push_back(*positions_[i]);
  }
}

void PhaseBuilder::finish_subphases(Objects& objects, const Fail& fail) {
  std::uint64_t last = 0;
  for (const TaskSubphase& subphase : subphases_) last = std::max(last, subphase.subphase.id);
  if (subphases_.empty()) return;
  for (const TaskSubphase& subphase : subphases_)
    if (subphase.subphase.id == last && (last >= std::numeric_limits<std::uint32_t>::max() ||
                                         !in_proportion(objects.size(), last + 1, subphases_.size())))
      fail(places_[subphase.object], "tasks",
           "has a subphase " + std::to_string(last) + ", far beyond the number of subphases that there are");
  objects.subphase_count = static_cast<std::uint32_t>(last + 1);
  objects.subphases.assign(objects.size() * objects.subphase_count, 0);
  for (const TaskSubphase& subphase : subphases_)
    objects.subphases[std::size_t{subphase.object} * objects.subphase_count + subphase.subphase.id] =
        subphase.subphase.time;
}

void PhaseBuilder::finish_counters(Objects& objects) {
  for (const Counter& counter : counters_)
    objects.counter_count = std::max(objects.counter_count, counter.counter + 1);
  objects.counters.assign(objects.size() * objects.counter_count, 0);
  for (const Counter& counter : counters_)
    objects.counters[std::size_t{counter.object} * objects.counter_count + counter.counter] = counter.value;
}

void PhaseBuilder::finish_splittable(Objects& objects) {
  if (has_splittable_) objects.splittable.assign(splittable_.begin(), splittable_.end());
}

void PhaseBuilder::finish_levels(Objects& objects) {
  if (std::ranges::any_of(levels_, [](std::int32_t level) { return level != kNoLevel; }))
    objects.level = std::move(levels_);
}

/// Numbers the blocks in the order of their ids.
void PhaseBuilder::finish_blocks(const Fail& fail) {
  const auto told = [](const BlockRecord& block) {
    return std::to_string(block.bytes) + " bytes with home " + std::to_string(*block.home);
  };
  std::map<std::uint64_t, BlockRecord> known;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!blocks_[i]) continue;
    BlockRecord& first = known.try_emplace(blocks_[i]->id, *blocks_[i]).first->second;
    if (!first.home) first.home = snapshot_.objects.pe[i];
    if (!blocks_[i]->home) blocks_[i]->home = first.home;
    if (*blocks_[i] != first)
      fail(places_[i], "tasks",
           "reads shared block " + std::to_string(first.id) + ", of " + told(*blocks_[i]) +
               "; another task that reads it says " + told(first));
  }
  SharedBlocks& blocks = snapshot_.blocks;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of;
  for (const auto& [id, block] : known) {
    number_of[id] = static_cast<std::uint32_t>(blocks.block_count());
    blocks.bytes.push_back(block.bytes);
    blocks.home.push_back(*block.home);
  }
  for (std::size_t i = 0; i < blocks_.size() && !known.empty(); ++i)
    blocks.of_object.push_back(blocks_[i] ? number_of.at(blocks_[i]->id) : kNoBlock);
}

void PhaseBuilder::finish_graph() {
  if (!has_graph_) return;
  std::vector<CommEdge> edges;
  edges.reserve(edges_.size());
  for (const EdgeRecord& edge : edges_) {
    const auto from = index_of_.find(edge.from), to = index_of_.find(edge.to);
    if (from == index_of_.end() || to == index_of_.end()) {
      ++lost_communications_;
      continue;
    }
    edges.push_back({from->second, to->second, edge.bytes, edge.messages});
  }
  snapshot_.graph = make_comm_graph(snapshot_.object_count(), edges);
}

void PhaseBuilder::finish_hypergraph(const Fail& fail) {
  if (!has_hypergraph_) return;
  std::vector<Hyperedge> hyperedges;
  for (const auto& [record, place] : hyperedges_) {
    const auto reject = [&, &at = place](std::uint64_t id, const char* what) {
      fail(at, "user_defined/skein_hyperedges", "joins object " + std::to_string(id) + what);
    };
    Hyperedge& hyperedge = hyperedges.emplace_back(Hyperedge{{}, record.bytes});
    for (const std::uint64_t id : record.objects) {
      const auto object = index_of_.find(id);
      if (object == index_of_.end()) reject(id, ", which is in no task of the phase");
      hyperedge.objects.push_back(object->second);
    }
    std::ranges::sort(hyperedge.objects);
    const auto twice = std::ranges::adjacent_find(hyperedge.objects);
    if (twice != hyperedge.objects.end()) reject(snapshot_.objects.id[*twice], " twice");
  }
  snapshot_.hypergraph = make_hypergraph(snapshot_.object_count(), hyperedges);
}

void PhaseBuilder::finish_pes(Pes& pes) const {
  for (const auto& [pe, node] : nodes_) pes.node[pe] = node;
  for (const auto& [record, place] : pes_) {
    pes.background_s[record.pe] += record.background_s;
    if (record.speed) pes.speed[record.pe] = *record.speed;
    if (record.node) pes.node[record.pe] = *record.node;
    if (!record.memory_bytes) continue;
    // PEs without a recorded limit have none.
    pes.memory_bytes.resize(pes.size(), std::numeric_limits<std::uint64_t>::max());
    pes.memory_bytes[record.pe] = *record.memory_bytes;
  }
}

void PhaseBuilder::finish_topology(Topology& topology, std::size_t pe_count, const Fail& fail) const {
  const auto has_way = [](const auto& pe) { return !pe.first.topology.empty(); };
  if (std::ranges::none_of(pes_, has_way)) return;
  topology.vertex_of_pe.assign(pe_count, 0);
  for (const auto& [record, place] : pes_) {
    const std::vector<std::uint32_t> way = parse_way(record.topology);
    if (way.empty() || !in_proportion(way.back(), 1, pes_.size()))
      fail(place, "tasks", "is on no way of rising vertices through the topology: '" + record.topology + "'");
    if (way.back() >= topology.parent.size()) topology.parent.resize(way.back() + 1, 0);
    for (std::size_t k = 1; k < way.size(); ++k) topology.parent[way[k]] = way[k - 1];
    topology.vertex_of_pe[record.pe] = way.back();
    finish_costs(topology, record, way,
                 [&, &at = place](const std::string& what) { fail(at, "tasks", what); });
  }
  if (topology.latency_s.empty()) return;
  topology.latency_s.resize(topology.parent.size(), 0);
  topology.byte_s.resize(topology.parent.size(), 0);
}

void PhaseBuilder::finish_costs(Topology& topology, const PeRecord& record,
                                std::span<const std::uint32_t> way,
                                const std::function<void(const std::string&)>& fail) const {
  if (record.latency.empty() && record.byte_time.empty()) return;
  const std::vector<float> latency = parse_costs(record.latency, way.size());
  const std::vector<float> byte_time = parse_costs(record.byte_time, way.size());
  if (latency.empty() || byte_time.empty())
    fail("has no two costs for each of the " + std::to_string(way.size()) + " vertices of its way: '" +
         record.latency + "' and '" + record.byte_time + "'");
  topology.latency_s.resize(topology.parent.size(), 0);
  topology.byte_s.resize(topology.parent.size(), 0);
  for (std::size_t k = 0; k < way.size(); ++k) {
    topology.latency_s[way[k]] = latency[k];
    topology.byte_s[way[k]] = byte_time[k];
  }
}

Snapshot PhaseBuilder::finish(std::size_t pe_count, const Fail& fail) {
  snapshot_.pes = uniform_pes(pe_count);
  finish_positions(snapshot_.objects, fail);
  finish_subphases(snapshot_.objects, fail);
  finish_counters(snapshot_.objects);
  finish_splittable(snapshot_.objects);
  finish_levels(snapshot_.objects);
  finish_blocks(fail);
  finish_graph();
  finish_hypergraph(fail);
  finish_pes(snapshot_.pes);
  finish_topology(snapshot_.topology, pe_count, fail);
  return std::move(snapshot_);
}

}  // namespace skein::lb
