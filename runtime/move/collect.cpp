// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/collect.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/measured_speeds.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/balance/pe_topology.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"
#include "runtime/move/balanced.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/move/rank_pages.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/rank.hpp"
#include "skein/lb/measured_objects.hpp"

namespace skein::move {

PerRuntime<Balanced> balanced;

namespace {

/// The record of a rank that a PE sends; the rank's edges follow.
struct RankRecord {
  std::int32_t rank;
  std::uint32_t edges;
  double load;
  double busy_s;
  std::uint64_t bytes;
  std::uint16_t may_move;
  std::uint16_t has_position;
  std::uint32_t ended;
  std::array<float, 3> position;
  std::uint32_t load_is;  // an IntervalShare::LoadIs
};

/// A rank of this PE, in the interval that has ended.

/// Says why a rank stays where it is: once, and again when the reason changes.
void tell_pinning(const Rank& rank, const char* because) {
  balanced->pinning_told.resize(pe::location->pe_of_rank.size());
  const char*& told = balanced->pinning_told[static_cast<std::size_t>(rank.id)];
  if (because && because != told) SKEIN_WARN("rank %d stays on PE %d while %s", rank.id, own_pe, because);
  told = because;
}

template <class T>
void append(std::vector<std::byte>& out, const T& value) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

/// Returns the seconds on the processor in the interval.
double take_busy(load::Meter& meter) {
  const std::uint64_t ticks = meter.busy_ticks - meter.busy_at_interval;
  meter.busy_at_interval = meter.busy_ticks;
  return seconds_of(ticks);
}

/// Returns the measurements since the last restart_measuring(); `busy`: what the rank has used so far.
MeasuredRank measured_so_far(Rank& rank, std::uint64_t busy) {
  using LoadIs = balance::IntervalShare::LoadIs;
  const load::Meter& meter = rank.meter;
  const double took_s = seconds_of((meter.paused_at ? meter.paused_at : busy) - meter.busy_at_step);
  const std::int64_t events =
      balanced->load_counter >= 0 ? meter.counters[balanced->load_counter] - meter.counter_at_step : 0;
  const Declared& declared = rank.declared;
  if (declared.load >= 0) return {&rank, declared.load, took_s, LoadIs::declared, declared.position};
  if (balanced->load_counter >= 0)
    return {&rank, static_cast<double>(events), took_s, LoadIs::events, declared.position};
  return {&rank, took_s * balance::speed_here(), took_s, LoadIs::time, declared.position};
}

void restart_measuring(load::Meter& meter, std::uint64_t busy) {
  meter.busy_at_step = busy;
  if (meter.paused_at) meter.paused_at = busy;
  if (balanced->load_counter >= 0) meter.counter_at_step = meter.counters[balanced->load_counter];
}

MeasuredRank measure(Rank& rank) {
  const MeasuredRank measured = measured_so_far(rank, rank.meter.busy_ticks);
  restart_measuring(rank.meter, rank.meter.busy_ticks);
  return measured;
}

/// Moves the rank's traffic of the interval into `edges`.
void take_traffic(Rank& rank, Edges& edges) {
  edges.clear();
  rank.traffic.for_each([&](const load::TrafficLog::Entry& entry) { edges.push_back(entry); });
  rank.traffic.clear();
}

/// Returns true if the rank may move; otherwise says why, unless it has ended.
bool may_move(const Rank& rank) {
  const char* const because = rank.done ? nullptr : pinned_because(rank);
  tell_pinning(rank, because);
  return !rank.done && !because;
}

/// Appends a rank's record. `edges` takes the rank's traffic; null: the traffic stays.
void append_rank(std::vector<std::byte>& out, const MeasuredRank& one, Edges* edges) {
  Rank& rank = *one.rank;
  if (edges) take_traffic(rank, *edges);
  append(out, RankRecord{.rank = rank.id,
                         .edges = edges ? static_cast<std::uint32_t>(edges->size()) : 0,
                         .load = one.load,
                         .busy_s = one.busy_s,
                         .bytes = bytes_to_copy(rank),
                         .may_move = may_move(rank),
                         .has_position = one.position.has_value(),
                         .ended = rank.done,
                         .position = one.position.value_or(std::array<float, 3>{}),
                         .load_is = static_cast<std::uint32_t>(one.load_is)});
  if (edges)
    for (const auto& edge : *edges) append(out, edge);
}

/// Calls `f(edge)` for each edge in these bytes.
template <class F>
void for_each_edge(std::span<const std::byte> edges, F f) {
  for (std::size_t at = 0; at < edges.size(); at += sizeof(load::TrafficLog::Entry)) {
    load::TrafficLog::Entry entry;
    memcpy(&entry, &edges[at], sizeof entry);
    f(entry);
  }
}

/// Calls `f(pe, record, bytes of its edges)` for each rank in the shares.
template <class F>
void for_each_rank(const net::PeBlocks& shares, F f) {
  shares.for_each([&](std::size_t pe, std::span<const std::byte> share) {
    while (!share.empty()) {
      RankRecord record;
      memcpy(&record, share.data(), sizeof record);
      const std::size_t edges = record.edges * sizeof(load::TrafficLog::Entry);
      f(pe, record, share.subspan(sizeof record, edges));
      share = share.subspan(sizeof record + edges);
    }
  });
}

std::vector<std::uint32_t> nodes_of_computing_pes() {
  return {net::world.node_of.begin(), net::world.node_of.begin() + balance::computing_pes()};
}

lb::MeasuredObject object_of(const RankRecord& record, lb::PeIndex pe) {
  lb::MeasuredObject object{.id = static_cast<std::uint64_t>(record.rank),
                            .pe = pe,
                            .load = record.load,
                            .bytes = record.bytes,
                            .may_move = record.may_move != 0,
                            .ended = record.ended != 0};
  if (record.has_position) object.position = record.position;
  return object;
}

}  // namespace

void set_load_counter(int counter) { balanced->load_counter = counter; }
void begin_intervals() { balanced->placed_on.clear(); }

balance::IntervalShare end_interval() {
  if (balanced->placed_on.empty()) balanced->placed_on = balanced->was_on = pe::location->pe_of_rank;
  balance::IntervalShare share(net::world.pe, balance::measured_pes(), balance::pe_speeds());
  balanced->measured.clear();
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id) {
    if (!pe::is_here(static_cast<int>(id))) continue;
    Rank& rank = rank_in_slot(static_cast<int>(id));
    share.add_object(take_busy(rank.meter), balanced->placed_on[id], balanced->was_on[id]);
    // A rank that has ended has no load for strategies, whatever it did before. In a lazy job ranks report
    // loads when they are asked.
    const bool has_load = !rank.done && !balance::is_lazy();
    const MeasuredRank& one = balanced->measured.emplace_back(has_load ? measure(rank) : MeasuredRank{&rank});
    share.add_load(one.load, one.load_is);
  }
  balanced->was_on = pe::location->pe_of_rank;
  return share;
}

std::vector<std::byte> share_of_ranks() {
  std::vector<std::byte> mine;
  balanced->shared.clear();
  for (const MeasuredRank& one : balanced->measured) {
    append_rank(mine, one, &balanced->edges);
    balanced->shared.push_back(one.rank->id);
  }
  return mine;
}

void append_running_rank(Rank& rank, std::vector<std::byte>& share) {
  const std::uint64_t busy = rank.meter.busy_ticks + (ticks() - rank.meter.resumed_at);
  const MeasuredRank measured = measured_so_far(rank, busy);
  restart_measuring(rank.meter, busy);
  rank.asked_load = measured.load;
  append_rank(share, measured, &balanced->edges);
}

std::vector<std::byte> share_of_stopped_ranks(std::uint64_t stop) {
  std::vector<std::byte> mine;
  const auto period = static_cast<double>(balance::pace->schedule.points_in_interval());
  balanced->shared.clear();
  for (MeasuredRank one : balanced->measured) {
    Rank& rank = *one.rank;
    if (rank.done) continue;
    one = measured_so_far(rank, rank.meter.busy_ticks);
    if (rank.asked == stop)
      one.load = rank.asked_load;
    else if (one.load_is != balance::IntervalShare::LoadIs::declared)
      one.load *= period / static_cast<double>(stop - rank.asked);
    append_rank(mine, one, nullptr);
    balanced->shared.push_back(rank.id);
  }
  return mine;
}

balance::IntervalShare interval_of(const net::PeBlocks& shares) {
  balance::IntervalShare all(0, balance::computing_pes(), balance::pe_speeds());
  for_each_rank(shares, [&](std::size_t pe, const RankRecord& record, std::span<const std::byte>) {
    const auto on = static_cast<int>(pe);
    all.add_object_on(on, record.busy_s, on, on);
    all.add_load(record.load, static_cast<balance::IntervalShare::LoadIs>(record.load_is));
  });
  return all;
}

lb::MeasuredPart part_of_ranks(const net::PeBlocks& shares) {
  lb::MeasuredPart part;
  part.has_edges = load::traffic_wanted;
  part.node_of_pe = nodes_of_computing_pes();
  const std::span<const double> speeds = balance::computing_speeds();
  part.speed_of_pe.assign(speeds.begin(), speeds.end());
  balanced->pinned.clear();
  for_each_rank(shares, [&](std::size_t pe, const RankRecord& record, std::span<const std::byte> sent) {
    const auto place = static_cast<lb::ObjectIndex>(part.objects.size());
    if (!record.may_move && !record.ended) balanced->pinned.push_back(static_cast<int>(place));
    part.objects.push_back(object_of(record, static_cast<lb::PeIndex>(pe)));
    for_each_edge(sent, [&](const load::TrafficLog::Entry& entry) {
      part.edges.push_back(
          {place, static_cast<std::uint64_t>(entry.to), static_cast<double>(entry.bytes), entry.messages});
    });
  });
  return part;
}

bool all_may_leave() {
  return std::ranges::all_of(balanced->measured, [](const MeasuredRank& one) {
    return !one.rank->done && !pinned_because(*one.rank);
  });
}

void note_asked(std::uint64_t point) {
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id)
    if (pe::is_here(static_cast<int>(id))) rank_in_slot(static_cast<int>(id)).asked = point;
}

const std::vector<int>& shared_ranks() { return balanced->shared; }

lb::Snapshot snapshot_of_ranks(const net::PeBlocks& shares) {
  // A rank that has ended may have no record in any share.
  RankRecord nothing{};
  nothing.ended = true;
  std::vector<RankRecord> records(pe::location->pe_of_rank.size(), nothing);
  std::vector<lb::PeIndex> pe_of(pe::location->pe_of_rank.begin(), pe::location->pe_of_rank.end());
  std::vector<lb::CommEdge> edges;
  for_each_rank(shares, [&](std::size_t pe, const RankRecord& record, std::span<const std::byte> sent) {
    const auto rank = static_cast<std::size_t>(record.rank);
    records[rank] = record;
    pe_of[rank] = static_cast<lb::PeIndex>(pe);
    for_each_edge(sent, [&](const load::TrafficLog::Entry& entry) {
      edges.push_back({static_cast<lb::ObjectIndex>(rank), static_cast<lb::ObjectIndex>(entry.to),
                       static_cast<double>(entry.bytes), entry.messages});
    });
  });

  balanced->pinned.clear();
  for (const RankRecord& record : records)
    if (!record.may_move && !record.ended) balanced->pinned.push_back(record.rank);

  if (balanced->load_counter >= 0) {
    balanced->busy_s.clear();
    for (const RankRecord& record : records) balanced->busy_s.push_back(record.busy_s);
  }
  std::vector<lb::MeasuredObject> ranks;
  for (std::size_t id = 0; id < records.size(); ++id) {
    records[id].rank = static_cast<std::int32_t>(id);
    ranks.push_back(object_of(records[id], pe_of[id]));
  }
  const std::vector<std::uint32_t> nodes = nodes_of_computing_pes();
  const std::span<const double> speeds = balance::computing_speeds();
  lb::take_from_other_pes(ranks, nodes.size(), speeds);
  return lb::make_snapshot({.objects = ranks,
                            .node_of_pe = nodes,
                            .speed_of_pe = speeds,
                            .topology = &balance::pe_topology(),
                            .edges = load::traffic_wanted ? &edges : nullptr,
                            .loads_are_events = balanced->load_counter >= 0});
}

lb::LocalPe local_ranks() {
  lb::LocalPe local;
  local.pe = static_cast<lb::PeIndex>(net::world.pe);
  local.pe_count = static_cast<lb::PeIndex>(net::world.pes);
  local.speed = balance::speed_here();
  local.knows_edges = load::traffic_wanted;
  std::vector<int> pinned_here;
  Edges edges;
  for (const MeasuredRank& one : balanced->measured) {
    Rank& rank = *one.rank;
    const bool free = may_move(rank);
    if (!free && !rank.done) pinned_here.push_back(rank.id);
    local.add(static_cast<lb::ObjectIndex>(rank.id), one.load, free);
    take_traffic(rank, edges);
    for (const auto& edge : edges)
      local.edges.push_back(
          {.from = static_cast<lb::ObjectIndex>(rank.id),
           .to = static_cast<lb::ObjectIndex>(edge.to),
           .pe = static_cast<lb::PeIndex>(pe::location->pe_of_rank[static_cast<std::size_t>(edge.to)]),
           .bytes = static_cast<double>(edge.bytes)});
  }

  balanced->pinned.clear();
  if (!balance::each_pe_is_told()) return local;
  const auto all = net::all_gather_blocks(std::as_bytes(std::span(pinned_here)));
  balanced->pinned.resize(all.size() / sizeof(int));
  if (!all.empty()) memcpy(balanced->pinned.data(), all.data(), all.size());
  std::ranges::sort(balanced->pinned);
  return local;
}

const std::vector<int>& pinned_ranks() { return balanced->pinned; }
const std::vector<double>* busy_of_ranks() { return balanced->busy_s.empty() ? nullptr : &balanced->busy_s; }

}  // namespace skein::move
