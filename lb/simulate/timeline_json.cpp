// SPDX-License-Identifier: Apache-2.0
// Writes a timeline as one JSON object, for scripts and for `skein report`. Names are those of a run's
// report, where it has them.
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "skein/lb/critical_path.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::simulate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;  // of the members

double seconds(Ns time) { return static_cast<double>(time) / 1e9; }

Json all_seconds(std::span<const Ns> times) {
  Json list = Json::array();
  for (const Ns time : times) list.push_back(seconds(time));
  return list;
}

/// Returns the table as rows of `columns` values.
Json table_s(const std::vector<Ns>& table, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t begin = 0; columns > 0 && begin + columns <= table.size(); begin += columns)
    rows.push_back(all_seconds(std::span(table).subspan(begin, columns)));
  return rows;
}

const char* name_of(Placement placement) {
  switch (placement) {
    case Placement::block:
      return "block";
    case Placement::round_robin:
      return "round-robin";
    case Placement::recorded:
      return "recorded";
  }
  return "";
}

/// Returns the moves as object, from, to.
Json moves_between(const std::vector<lb::PeIndex>& before, const std::vector<lb::PeIndex>& after) {
  Json moves = Json::array();
  for (std::size_t object = 0; object < before.size() && object < after.size(); ++object)
    if (before[object] != after[object]) moves.push_back({object, before[object], after[object]});
  return moves;
}

void add_late(Json& line, const LateRecord& late) {
  line.update({{"late_points", late.applied_at - late.asked_at},
               {"late_decide_s", seconds(late.decide)},
               {"dropped", late.dropped},
               {"drift_work_percent", late.drift.work_percent},
               {"drift_changed_percent", late.drift.changed_percent},
               {"drift_change_percent", late.drift.change_percent},
               {"drift_imbalance_percent", late.drift.imbalance_percent}});
}

Json steps_of(const Timeline& timeline) {
  Json steps = Json::array();
  for (std::size_t i = 0; i < timeline.steps.size(); ++i) {
    const StepRecord& step = timeline.steps[i];
    Json line = {{"step", i + 1},
                 {"strategy", step.strategy},
                 {"at_s", seconds(step.at)},
                 {"points", step.points},
                 {"imbalance_before_percent", step.imbalance_before},
                 {"imbalance_after_percent", step.imbalance_after},
                 {"objects_moved", step.moved},
                 {"bytes_moved", step.moved_bytes},
                 {"meet_s", seconds(step.meet)},
                 {"collect_s", seconds(step.collect)},
                 {"decide_s", seconds(step.decide)},
                 {"move_s", seconds(step.move)}};
    if (i + 1 < timeline.placement.size())
      line["moves"] = moves_between(timeline.placement[i], timeline.placement[i + 1]);
    if (step.split > 0) line["parts_split_off"] = step.split;
    if (step.merged > 0) line["parts_merged"] = step.merged;
    if (!step.why.empty()) line["why"] = step.why;
    if (step.behind > 0) line["objects_behind"] = step.behind;
    if (step.late) add_late(line, *step.late);
    steps.push_back(std::move(line));
  }
  return steps;
}

Json path_json(const CriticalPath& path, bool native) {
  Json objects = Json::array(), regions = Json::array();
  for (std::size_t object = 0; object < path.of_object.size(); ++object)
    if (path.of_object[object] > 0) objects.push_back({object, seconds(path.of_object[object])});
  for (const auto& [name, ns] : path.of_region) regions.push_back({name, seconds(ns)});
  return {{"compute_s", seconds(path.compute)},
          {"transfer_s", seconds(path.transfer)},
          {"collective_s", seconds(path.collective)},
          {"balancing_s", seconds(path.balancing)},
          {"between_s", seconds(path.between)},
          {"waiting_s", seconds(path.waiting)},
          {"handed_on", path.handed_on},
          {native ? "compute_of_objects_s" : "compute_of_ranks_s", std::move(objects)},
          {"compute_of_regions_s", std::move(regions)}};
}

}  // namespace

std::string to_json(const Timeline& timeline, const trace::Trace& trace, const Platform& platform,
                    const Policy& policy, const TimelineNotes& told) {
  const trace::Header& header = trace.header();
  Json json = {{"kind", "simulation"},
               {"version", kVersion},
               {"program", header.program},
               {header.native ? "objects" : "ranks", trace.object_count()},
               {"complete", trace.complete()},
               {"platform", platform.name},
               {"pes", timeline.pes},
               {"pes_per_node", platform.pes_per_node},
               {"engine", name_of(policy.engine)},
               {"lb", policy.strategy},
               {"lb_period", policy.period == 0 ? Json("auto") : Json(policy.period)},
               {"lb_mode", lb::to_string(policy.mode)},
               {"lb_model", policy.load_model.empty() ? "last" : policy.load_model},
               {"map", name_of(policy.placement)},
               {"wildcards", policy.wildcards_as_recorded ? "recorded" : "arrival"},
               {"seed", policy.seed},
               {"makespan_s", seconds(timeline.makespan)},
               {"messages", timeline.messages},
               {"messages_between_pes", timeline.remote_messages},
               {"bytes", timeline.bytes},
               {"bytes_between_pes", timeline.remote_bytes},
               {"pe_busy_s", all_seconds(timeline.pe_busy)},
               {"steps", steps_of(timeline)},
               {"interval_end_s", all_seconds(timeline.interval_end)},
               {"busy_s", table_s(timeline.busy, timeline.pes)},
               {"busy_unbalanced_s", table_s(timeline.unbalanced, timeline.pes)},
               {"max_busy_unmoved_s", all_seconds(timeline.fullest_unmoved)}};
  if (told.unmoved) json["makespan_unmoved_s"] = seconds(*told.unmoved);
  if (!told.remarks.empty()) json["remarks"] = told.remarks;
  if (told.path) json["critical_path"] = path_json(*told.path, header.native);
  for (const WhatIf& one : told.what_if)
    json["what_if"].push_back(
        {{"what", one.what}, {"factor", one.factor}, {"makespan_s", seconds(one.makespan)}});
  if (const std::vector<double> speeds = speeds_seen(platform, policy); !speeds.empty())
    json["pe_speeds"] = speeds;
  if (timeline.reserved_pes > 0) json["reserved_pes"] = timeline.reserved_pes;
  if (policy.mode.is_lazy()) json["decisions"] = timeline.decisions;
  if (!timeline.placement.empty()) json["placement"] = timeline.placement.front();
  if (policy.keep_bursts) {
    Json& bursts = json["bursts"] = Json::array();  // object, PE, begin, end in ns
    for (const BurstRecord& burst : timeline.bursts)
      bursts.push_back({burst.object, burst.pe, burst.begin, burst.end});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace skein::simulate
