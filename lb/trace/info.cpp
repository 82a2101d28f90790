// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lb/trace/named_parts.hpp"
#include "skein/lb/trace_beginning.hpp"
#include "skein/lb/trace_check.hpp"

namespace skein::trace {
namespace {

constexpr std::array<std::string_view, kEventKinds> kKindNames = {
    "send",      "receive",    "matched", "wait",       "collective", "probe",   "sync",
    "file",      "sleep",      "region",  "region end", "end",        "execute", "call",
    "broadcast", "contribute", "create",  "split",      "finish"};

constexpr std::string_view kCollectiveNames[] = {
    "barrier",        "bcast",    "gather",    "gatherv",    "scatter", "scatterv",  "allgather",
    "allgatherv",     "alltoall", "alltoallv", "alltoallw",  "reduce",  "allreduce", "reduce_scatter_block",
    "reduce_scatter", "scan",     "exscan",    "create_comm"};

bool is_message(EventKind kind) {
  return kind == EventKind::send || kind == EventKind::call || kind == EventKind::broadcast ||
         kind == EventKind::create;
}

double percent_imbalance(const std::vector<std::uint64_t>& loads) {
  std::uint64_t most = 0;
  double sum = 0;
  for (const std::uint64_t load : loads) {
    most = std::max(most, load);
    sum += static_cast<double>(load);
  }
  return sum > 0 ? (static_cast<double>(most) * static_cast<double>(loads.size()) / sum - 1) * 100 : 0;
}

}  // namespace

std::string_view name_of(EventKind kind) { return kKindNames.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(Collective kind) {
  static_assert(std::size(kCollectiveNames) == static_cast<std::size_t>(Collective::create_comm) + 1);
  return kCollectiveNames[static_cast<std::size_t>(kind)];
}

TraceInfo trace_info(const Trace& trace) {
  TraceInfo info;
  info.objects.resize(trace.object_count());
  info.counters.resize(trace.header().counters.size());
  NamedParts named(trace);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    ObjectInfo& own = info.objects[object];
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      ++own.events;
      ++info.events_by_kind[static_cast<std::size_t>(event->kind)];
      own.compute_ns += event->burst_ns;
      own.call_ns += event->call_ns;
      named.add(*event);
      for (std::size_t i = 0; i < event->counters.size() && i < info.counters.size(); ++i)
        info.counters[i] += event->counters[i];
      if (is_message(event->kind)) {
        ++own.messages;
        own.bytes += event->bytes;
      }
      if (event->kind == EventKind::sync) own.largest_bytes = std::max(own.largest_bytes, event->bytes);
    }
    named.end_object(object);
    info.events += own.events;
    info.messages += own.messages;
    info.bytes += own.bytes;
    info.compute_ns += own.compute_ns;
    info.duration_ns = std::max(info.duration_ns, own.compute_ns + own.call_ns);
  }
  info.collectives = info.events_by_kind[static_cast<std::size_t>(EventKind::collective)];

  info.syncs = sync_points(trace);
  info.named = named.take(trace);

  const Header& header = trace.header();
  std::vector<std::uint64_t> loads, by_pe(header.pes);
  for (ObjectIndex object = 0; object < info.objects.size(); ++object) {
    const std::uint64_t load = info.objects[object].compute_ns;
    if (header.can_move(object)) loads.push_back(load);
    if (object < header.placement.size() && header.placement[object] < by_pe.size())
      by_pe[header.placement[object]] += load;
  }
  info.imbalance = percent_imbalance(loads);
  info.pe_imbalance = percent_imbalance(by_pe);
  return info;
}

}  // namespace skein::trace
