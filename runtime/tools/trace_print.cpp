// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/trace_print.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "runtime/tools/output.hpp"

namespace skein::tools {
namespace {

using nlohmann::ordered_json;

constexpr double kNsPerSecond = 1e9;

double seconds(std::uint64_t ns) { return static_cast<double>(ns) / kNsPerSecond; }

std::string amount(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  char text[32];
  snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

std::string amount(std::uint64_t bytes) { return amount(static_cast<double>(bytes)); }

std::string label_of(const trace::Trace& trace, std::size_t object) {
  const auto& labels = trace.header().labels;
  return object < labels.size() && !labels[object].empty() ? labels[object] : std::to_string(object);
}

struct Extremes {
  std::size_t least = 0, most = 0;
};

/// Returns the extremes over objects that can move. Precondition: there is one.
Extremes extremes_of(const trace::Header& header, const trace::TraceInfo& info) {
  std::vector<std::size_t> movable;
  for (std::size_t k = 0; k < info.objects.size(); ++k)
    if (header.can_move(static_cast<trace::ObjectIndex>(k))) movable.push_back(k);
  const auto [least, most] =
      std::ranges::minmax_element(movable, {}, [&](std::size_t k) { return info.objects[k].compute_ns; });
  return {*least, *most};
}

constexpr std::size_t kMostNamed = 10;

/// Prints regions, or entry methods.
void print_named(const trace::Trace& trace, const trace::TraceInfo& info) {
  const bool native = trace.header().native;
  for (std::size_t i = 0; i < std::min(info.named.size(), kMostNamed); ++i) {
    const trace::NamedPart& part = info.named[i];
    printf("%s %s: %llu times, computing %.3f s in all",
           native ? "method:    " : "region:    ", part.name.c_str(), wide(part.times),
           seconds(part.compute_ns));
    if (!native) printf(", in calls %.3f s", seconds(part.call_ns));
    printf("; %s %.3f s at most (%s)\n", native ? "an object" : "a rank", seconds(part.most_ns),
           label_of(trace, part.most_of).c_str());
  }
  if (info.named.size() > kMostNamed)
    printf("            and %zu more, with less computing (--json has all)\n",
           info.named.size() - kMostNamed);
}

void print_text(const trace::Trace& trace, const trace::TraceInfo& info, std::uint64_t file_bytes) {
  const trace::Header& header = trace.header();
  printf("program:    %s\n", header.program.c_str());
  if (!header.options.empty()) printf("options:    %s\n", header.options.c_str());
  if (!header.machine.empty()) printf("machine:    %s\n", header.machine.c_str());
  printf("recorded:   %zu %s on %u PEs%s%s\n", trace.movable_count(), header.noun(), header.pes,
         header.ends_only ? "; only the ends of their streams, to look at (last=)" : "",
         trace.complete() ? "" : "; cut short: the run did not come to its end");
  const double per_event =
      info.events ? static_cast<double>(file_bytes) / static_cast<double>(info.events) : 0;
  printf("file:       %s, %.2f B an event; %s in memory\n", amount(file_bytes).c_str(), per_event,
         amount(std::uint64_t{trace.memory_bytes()}).c_str());
  printf("events:     %llu", wide(info.events));
  const char* separator = ": ";
  for (std::size_t kind = 0; kind < trace::kEventKinds; ++kind)
    if (info.events_by_kind[kind]) {
      printf("%s%llu %s", separator, wide(info.events_by_kind[kind]),
             std::string(name_of(static_cast<trace::EventKind>(kind))).c_str());
      separator = ", ";
    }
  printf("\nmessages:   %llu, %s\n", wide(info.messages), amount(info.bytes).c_str());
  printf("sync points: %llu; LB steps in the recorded run: %zu\n", wide(info.syncs), trace.steps().size());
  printf("computing:  %.3f s in all; the longest took %.3f s, waiting included\n", seconds(info.compute_ns),
         seconds(info.duration_ns));
  if (const std::string text = to_text(header.disturbance); !text.empty())
    printf("disturbed:  %s\n", text.c_str());
  print_named(trace, info);
  for (std::size_t i = 0; i < info.counters.size(); ++i)
    printf("counter:    %s: %lld in all\n", header.counters[i].c_str(),
           static_cast<long long>(info.counters[i]));
  if (trace.movable_count() == 0) return;
  const Extremes of = extremes_of(header, info);
  printf(
      "imbalance:  %.1f %% of %s, %.1f %% of PEs as they were placed at first; from %.3f s (%s) to %.3f s "
      "(%s)\n",
      info.imbalance, header.noun(), info.pe_imbalance, seconds(info.objects[of.least].compute_ns),
      label_of(trace, of.least).c_str(), seconds(info.objects[of.most].compute_ns),
      label_of(trace, of.most).c_str());
  std::uint64_t largest = 0, sum = 0;
  for (const trace::ObjectInfo& own : info.objects) {
    largest = std::max(largest, own.largest_bytes);
    sum += own.largest_bytes;
  }
  printf("memory:     %s at most in %s, %s in all\n", amount(largest).c_str(),
         header.native ? "an element" : "a rank", amount(sum).c_str());
}

ordered_json json_of(const trace::Trace& trace, const trace::TraceInfo& info, std::uint64_t file_bytes) {
  const trace::Header& header = trace.header();
  ordered_json kinds = ordered_json::object();
  for (std::size_t kind = 0; kind < trace::kEventKinds; ++kind)
    if (info.events_by_kind[kind])
      kinds[std::string(name_of(static_cast<trace::EventKind>(kind)))] = info.events_by_kind[kind];
  ordered_json objects = ordered_json::array();
  for (std::size_t k = 0; k < info.objects.size(); ++k) {
    const trace::ObjectInfo& own = info.objects[k];
    objects.push_back({{"name", label_of(trace, k)},
                       {"events", own.events},
                       {"compute_s", seconds(own.compute_ns)},
                       {"calls_s", seconds(own.call_ns)},
                       {"messages", own.messages},
                       {"bytes", own.bytes},
                       {"memory_bytes", own.largest_bytes}});
  }
  ordered_json named = ordered_json::array();
  for (const trace::NamedPart& part : info.named)
    named.push_back({{"name", part.name},
                     {"times", part.times},
                     {"objects", part.objects},
                     {"compute_s", seconds(part.compute_ns)},
                     {"calls_s", seconds(part.call_ns)},
                     {"most_compute_s", seconds(part.most_ns)},
                     {"most_of", label_of(trace, part.most_of)}});
  ordered_json counters = ordered_json::object();
  for (std::size_t i = 0; i < info.counters.size(); ++i) counters[header.counters[i]] = info.counters[i];
  return {{"program", header.program},
          {"options", header.options},
          {"machine", header.machine},
          {"native", header.native},
          {"complete", trace.complete()},
          {"ends_only", header.ends_only},
          {"pes", header.pes},
          {"file_bytes", file_bytes},
          {"events", info.events},
          {"events_by_kind", std::move(kinds)},
          {"messages", info.messages},
          {"bytes", info.bytes},
          {header.noun(), trace.movable_count()},
          {"sync_points", info.syncs},
          {"lb_steps", trace.steps().size()},
          {"compute_s", seconds(info.compute_ns)},
          {"duration_s", seconds(info.duration_ns)},
          {"by_the_clock_s", seconds(header.disturbance.busy_ns)},
          {"others_had_s", seconds(header.disturbance.others_ns)},
          {"imbalance_percent", info.imbalance},
          {"pe_imbalance_percent", info.pe_imbalance},
          {header.native ? "methods" : "regions", std::move(named)},
          {"counters", std::move(counters)},
          {"objects", std::move(objects)}};
}

void print(const ordered_json& json) {
  // A program's name need not be UTF-8.
  printf("%s\n", json.dump(-1, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

const char* text_of(trace::Finding::Weight weight) {
  return weight == trace::Finding::Weight::error ? "error" : "note";
}

}  // namespace

void print_info(const trace::Trace& trace, std::uint64_t file_bytes, bool json) {
  const trace::TraceInfo info = trace_info(trace);
  if (json)
    print(json_of(trace, info, file_bytes));
  else
    print_text(trace, info, file_bytes);
}

void print_findings(const trace::CheckResult& result, const std::string& file, bool json) {
  if (json) {
    ordered_json findings = ordered_json::array();
    for (const trace::Finding& one : result.findings)
      findings.push_back({{"weight", text_of(one.weight)},
                          {"object", one.object},
                          {"event", one.event},
                          {"text", one.text}});
    print({{"errors", result.errors}, {"notes", result.notes}, {"findings", std::move(findings)}});
    return;
  }
  for (const trace::Finding& one : result.findings)
    printf("%s: %s: %s\n", text_of(one.weight), file.c_str(), one.text.c_str());
  const std::uint64_t more = result.errors + result.notes - result.findings.size();
  if (more > 0) printf("and %llu more like these\n", wide(more));
  printf("%s: %llu errors, %llu notes\n", file.c_str(), wide(result.errors), wide(result.notes));
}

}  // namespace skein::tools
