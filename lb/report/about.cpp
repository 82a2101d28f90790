// SPDX-License-Identifier: Apache-2.0
#include "about.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace skein::report {
namespace {

using Json = Arrays::Json;

constexpr std::size_t kMostCells = 512;        // on a side of a communication matrix
constexpr std::size_t kMostParts = 50'000;     // on a critical path
constexpr double kMostUnits = 65535;           // in a load
constexpr double kMostTimeUnits = 4294967295;  // in a timeline

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

const char* name_of(RunKind kind) {
  switch (kind) {
    case RunKind::real:
      return "real";
    case RunKind::simulated:
      return "simulated";
    case RunKind::recorded:
      return "recorded";
  }
  return "";
}

Json loads(const std::vector<double>& seconds, std::size_t pes, Arrays& arrays) {
  if (seconds.empty()) return nullptr;
  const double most = std::ranges::max(seconds);
  return arrays.add(seconds, pes, most > 0 ? most / kMostUnits : 1);
}

Json describe(const Late& late) {
  return {{"points", late.points},      {"decide", late.decide_s}, {"dropped", late.dropped},
          {"work", late.work},          {"changed", late.changed}, {"change", late.change},
          {"imbalance", late.imbalance}};
}

Json describe(const Step& step) {
  return {{"at", step.at_s},
          {"strategy", step.strategy},
          {"why", step.why},
          {"before", or_null(step.before)},
          {"after", or_null(step.after)},
          {"moved", step.moved},
          {"bytes", step.bytes},
          {"pinned", step.pinned},
          {"meet", step.meet_s},
          {"collect", step.collect_s},
          {"decide", step.decide_s},
          {"move", step.move_s},
          {"gain", or_null(step.gain_s)},
          {"late", step.late ? describe(*step.late) : Json(nullptr)}};
}

Json moves_of(const std::vector<Step>& steps, Arrays& arrays) {
  std::vector<std::uint32_t> triples;
  Json counts = Json::array();
  for (const Step& step : steps) {
    for (const Move& move : step.moves) triples.insert(triples.end(), {move.object, move.from, move.to});
    counts.push_back(step.moves.size());
  }
  return {{"triples", arrays.add(triples)}, {"counts", std::move(counts)}};
}

/// Describes the communication matrix; many objects share a cell, so that it fits the page.
Json communication(const Run& run, Arrays& arrays) {
  if (run.traffic.empty()) return nullptr;
  const std::size_t per_cell = (run.objects + kMostCells - 1) / kMostCells;
  const std::size_t cells = (run.objects + per_cell - 1) / per_cell;
  std::map<std::uint32_t, std::pair<double, double>> of_cell;
  for (const Traffic& traffic : run.traffic) {
    auto& [bytes, messages] =
        of_cell[static_cast<std::uint32_t>(traffic.from / per_cell * cells + traffic.to / per_cell)];
    bytes += traffic.bytes;
    messages += static_cast<double>(traffic.messages);
  }
  std::vector<std::uint32_t> cell;
  std::vector<float> bytes, messages;
  for (const auto& [at, sums] : of_cell) {
    cell.push_back(at);
    bytes.push_back(static_cast<float>(sums.first));
    messages.push_back(static_cast<float>(sums.second));
  }
  return {{"cells", cells},
          {"objects_per_cell", per_cell},
          {"cell_of", arrays.add(cell)},
          {"bytes", arrays.add(bytes)},
          {"messages", arrays.add(messages)}};
}

/// Spans of rows, each begin as the gap behind the span before: these numbers are small and often alike.
class SpanArrays {
 public:
  SpanArrays(std::uint64_t end_ns, std::uint32_t rows) : rows_(rows) {
    // The unit is a power of ten of nanoseconds, so that times keep their digits.
    while (static_cast<double>(end_ns) / unit_ns_ > kMostTimeUnits) unit_ns_ *= 10;
  }
  double unit_ns() const { return unit_ns_; }
  std::uint32_t units(auto ns) const {
    return static_cast<std::uint32_t>(static_cast<double>(ns) / unit_ns_);
  }

  /// Describes the spans, row by row.
  Json describe(std::span<const Span> spans, Arrays& arrays) const {
    std::vector<std::uint32_t> first(rows_ + 1, 0), gap, length, what;
    for (const Span& span : spans) ++first[span.row + 1];
    for (std::uint32_t row = 0; row < rows_; ++row) first[row + 1] += first[row];
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const std::uint32_t before = i == first[spans[i].row] ? 0 : units(spans[i - 1].end_ns);
      const std::uint32_t begin = std::max(before, units(spans[i].begin_ns));
      gap.push_back(begin - before);
      length.push_back(std::max(begin, units(spans[i].end_ns)) - begin);
      what.push_back(spans[i].what);
    }
    return {{"first", arrays.add(first)},
            {"begin", arrays.add(gap)},
            {"length", arrays.add(length)},
            {"what", arrays.add(what)}};
  }

 private:
  std::uint32_t rows_;
  double unit_ns_ = 1;
};

/// Describes the counts of each burst, counter by counter.
Json burst_counts(const Counters& counters, Arrays& arrays) {
  Json all = Json::array();
  for (std::size_t i = 0; i < counters.names.size(); ++i) {
    std::vector<float> counts;
    for (std::size_t at = i; at < counters.of_bursts.size(); at += counters.names.size())
      counts.push_back(counters.of_bursts[at]);
    all.push_back(arrays.add(counts));
  }
  return all;
}

/// Adds `number(one)` of each item of a list as an array.
template <class List, class Number>
Json column(const List& list, Arrays& arrays, Number number) {
  std::vector<std::uint32_t> values;
  for (const auto& one : list) values.push_back(static_cast<std::uint32_t>(number(one)));
  return arrays.add(values);
}

Json arrows(const simulate::Flights& flights, const SpanArrays& spans, Arrays& arrays) {
  if (flights.longest.empty()) return nullptr;
  const auto of = [&](auto number) { return column(flights.longest, arrays, number); };
  return {{"count", flights.count},
          {"from", of([](const auto& flight) { return flight.sent.object; })},
          {"to", of([](const auto& flight) { return flight.received.object; })},
          {"sent", of([&](const auto& flight) { return spans.units(flight.sent.at); })},
          {"received", of([&](const auto& flight) { return spans.units(flight.received.at); })},
          {"waited", of([&](const auto& flight) { return spans.units(flight.waited); })}};
}

/// Describes the parts from the first to the last; if there are too many, the longest ones.
Json path_parts(std::vector<simulate::CriticalPath::Part> parts, const SpanArrays& spans, Arrays& arrays) {
  if (parts.empty()) return nullptr;
  if (parts.size() > kMostParts) {
    std::ranges::nth_element(parts, parts.begin() + kMostParts, std::ranges::greater{},
                             [](const auto& part) { return part.end - part.begin; });
    parts.resize(kMostParts);
  }
  std::ranges::sort(parts, {}, &simulate::CriticalPath::Part::begin);
  return {{"row", column(parts, arrays, [](const auto& part) { return part.object; })},
          {"begin", column(parts, arrays, [&](const auto& part) { return spans.units(part.begin); })},
          {"end", column(parts, arrays, [&](const auto& part) { return spans.units(part.end); })}};
}

Json timeline(const Run& run, Arrays& arrays) {
  if (run.bursts.empty()) return nullptr;
  std::uint64_t end = 1;
  std::uint32_t rows = 0;
  const auto look_at = [&](const Span& span) {
    end = std::max(end, span.end_ns);
    rows = std::max(rows, span.row + 1);
  };
  std::ranges::for_each(run.bursts, look_at);
  std::ranges::for_each(run.waits, look_at);
  for (const std::vector<Span>& lane : run.regions) std::ranges::for_each(lane, look_at);
  if (run.rows_are_pes) rows = std::max(rows, static_cast<std::uint32_t>(run.pes));
  const SpanArrays spans(end, rows);
  Json lanes = Json::array();
  for (const std::vector<Span>& lane : run.regions) lanes.push_back(spans.describe(lane, arrays));
  return {{"rows_are", run.rows_are_pes ? "PEs" : run.noun},
          {"note", run.timeline_note},
          {"unit_s", spans.unit_ns() * 1e-9},
          {"seconds", std::max(run.seconds, static_cast<double>(end) * 1e-9)},
          {"bursts", spans.describe(run.bursts, arrays)},
          {"waits", run.waits.empty() ? Json(nullptr) : spans.describe(run.waits, arrays)},
          {"wait_names", run.wait_names},
          {"arrows", arrows(run.flights, spans, arrays)},
          {"path", run.path ? path_parts(run.path->parts, spans, arrays) : Json(nullptr)},
          {"counts", burst_counts(run.counters, arrays)},
          {"regions", std::move(lanes)}};
}

/// Describes the sums of each object and each region in which it was, one after the other.
Json region_sums(const Run& run, Arrays& arrays) {
  if (run.region_sums.empty()) return nullptr;
  std::vector<std::uint32_t> object, name, times;
  std::vector<float> compute, call;
  for (const RegionSums& sums : run.region_sums) {
    object.push_back(sums.object);
    name.push_back(sums.name);
    times.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(sums.times, UINT32_MAX)));
    compute.push_back(static_cast<float>(sums.compute_s));
    call.push_back(static_cast<float>(sums.call_s));
  }
  return {{"names", run.names},         {"object", arrays.add(object)},   {"name", arrays.add(name)},
          {"times", arrays.add(times)}, {"compute", arrays.add(compute)}, {"call", arrays.add(call)}};
}

Json counters(const Run& run, Arrays& arrays) {
  const Counters& counters = run.counters;
  const std::size_t count = counters.names.size();
  if (count == 0) return nullptr;
  Json all = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<float> sums;
    for (std::size_t at = i; at < counters.of_objects.size(); at += count)
      sums.push_back(static_cast<float>(counters.of_objects[at]));
    all.push_back({{"name", counters.names[i]},
                   {"pe_rates", loads(counters.pe_rates[i], run.pes, arrays)},
                   {"sums", arrays.add(sums)}});
  }
  const std::vector<float> seconds(counters.object_s.begin(), counters.object_s.end());
  return {{"seconds", arrays.add(seconds)}, {"each", std::move(all)}};
}

double seconds(simulate::Ns ns) { return static_cast<double>(ns) * 1e-9; }

Json describe(const simulate::CriticalPath& path) {
  Json objects = Json::array(), regions = Json::array();
  for (std::size_t object = 0; object < path.of_object.size(); ++object)
    if (path.of_object[object] > 0) objects.push_back({object, seconds(path.of_object[object])});
  for (const auto& [name, ns] : path.of_region) regions.push_back({name, seconds(ns)});
  return {{"compute", seconds(path.compute)},
          {"transfer", seconds(path.transfer)},
          {"collective", seconds(path.collective)},
          {"balancing", seconds(path.balancing)},
          {"between", seconds(path.between)},
          {"waiting", seconds(path.waiting)},
          {"handed_on", path.handed_on},
          {"of_objects", std::move(objects)},
          {"of_regions", std::move(regions)}};
}

/// Returns the sum over the intervals of the fullest PE's computing: a lower bound of the run's time.
double on_the_fullest(const std::vector<double>& seconds, std::size_t pes) {
  double sum = 0;
  for (std::size_t at = 0; at + pes <= seconds.size(); at += pes)
    sum += *std::max_element(seconds.begin() + static_cast<std::ptrdiff_t>(at),
                             seconds.begin() + static_cast<std::ptrdiff_t>(at + pes));
  return sum;
}

Json describe(const Run& run, Arrays& arrays) {
  Json steps = Json::array();
  for (const Step& step : run.steps) steps.push_back(describe(step));
  Json what_if = Json::array();
  for (const auto& [what, factor, makespan] : run.what_if)
    what_if.push_back({{"what", what}, {"factor", factor}, {"seconds", seconds(makespan)}});
  const bool compares = !run.steps.empty() && !run.unbalanced_s.empty();
  return {{"name", run.name},
          {"kind", name_of(run.kind)},
          {"source", run.source},
          {"command", run.command},
          {"platform", run.platform},
          {"noun", run.noun},
          {"warnings", run.warnings},
          {"pes", run.pes},
          {"objects", run.objects},
          {"seconds", run.seconds},
          {"unmoved_s", or_null(run.unmoved_s)},
          {"with_s", compares ? on_the_fullest(run.busy_s, run.pes) : 0},
          {"without_s", compares ? on_the_fullest(run.unbalanced_s, run.pes) : 0},
          {"interval_end", run.interval_end_s},
          {"interval_s", run.interval_s},
          {"busy", loads(run.busy_s, run.pes, arrays)},
          {"unbalanced", loads(run.unbalanced_s, run.pes, arrays)},
          {"steps", std::move(steps)},
          {"moves", run.steps.empty() ? Json(nullptr) : moves_of(run.steps, arrays)},
          {"placement", run.placement.empty() ? Json(nullptr) : arrays.add(run.placement)},
          {"communication", communication(run, arrays)},
          {"timeline", timeline(run, arrays)},
          {"path", run.path ? describe(*run.path) : Json(nullptr)},
          {"what_if", std::move(what_if)},
          {"regions", region_sums(run, arrays)},
          {"counters", counters(run, arrays)}};
}

Json describe(const Tuning& tuning) {
  Json rows = Json::array();
  for (const Configuration& row : tuning.rows)
    rows.push_back({{"strategy", row.strategy},
                    {"period", row.period},
                    {"mode", row.mode.empty() || row.mode == "inline" ? Json(nullptr) : Json(row.mode)},
                    {"ranks", row.ranks},
                    {"pes", row.pes},
                    {"seconds", row.seconds},
                    {"spread", or_null(row.spread_s)},
                    {"steps", or_null(row.steps)},
                    {"moved", or_null(row.moved)},
                    {"imbalance", or_null(row.imbalance)},
                    {"frontier", row.frontier}});
  return {{"source", tuning.source},
          {"command", tuning.command},
          {"note", tuning.note},
          {"rows", std::move(rows)}};
}

/// Describes all grids of all times, one after the other.
Json describe(const Slices& all, Arrays& arrays) {
  std::vector<std::uint32_t> grids, ends;  // levels, PEs and cells; grids up to the end of each time
  std::vector<float> boxes, values;
  Json times = Json::array();
  for (const DomainSlice& slice : all.slices) {
    times.push_back(slice.time);
    for (const GridSlice& grid : slice.grids) {
      for (const std::uint32_t number : {grid.level, grid.pe, grid.cells[0], grid.cells[1]})
        grids.push_back(number);
      boxes.insert(boxes.end(), grid.box.begin(), grid.box.end());
      values.insert(values.end(), grid.values.begin(), grid.values.end());
    }
    ends.push_back(static_cast<std::uint32_t>(boxes.size() / 4));
  }
  return {{"source", all.source},
          {"program", all.program},
          {"quantity", all.quantity},
          {"plane", all.plane},
          {"x", all.x},
          {"y", all.y},
          {"pes", all.pes},
          {"warning", all.warning},
          {"times", std::move(times)},
          {"ends", arrays.add(ends)},
          {"grids", arrays.add(grids)},
          {"boxes", arrays.add(boxes)},
          {"values", arrays.add(values)}};
}

}  // namespace

std::string describe(const Report& report, Arrays& arrays) {
  Json runs = Json::array(), tunings = Json::array(), slices = Json::array();
  for (const Run& run : report.runs) runs.push_back(describe(run, arrays));
  for (const Tuning& tuning : report.tunings) tunings.push_back(describe(tuning));
  for (const Slices& each : report.slices) slices.push_back(describe(each, arrays));
  const Json about = {{"warnings", differences(report)},
                      {"runs", std::move(runs)},
                      {"tunings", std::move(tunings)},
                      {"slices", std::move(slices)}};
  return about.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace skein::report
