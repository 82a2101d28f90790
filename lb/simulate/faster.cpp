// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>

#include "skein/lb/critical_path.hpp"
#include "skein/lb/nearest.hpp"
#include "skein/lb/trace_beginning.hpp"
#include "skein/lb/trace_check.hpp"

namespace skein::simulate {
namespace {

using trace::Event;
using trace::EventKind;

/// The rank of "rank 3", of that many; or none.
std::optional<trace::ObjectIndex> rank_of(const std::string& what, std::size_t ranks) {
  const std::string_view prefix = "rank ";
  if (!what.starts_with(prefix)) return std::nullopt;
  std::uint32_t rank = 0;
  const char* const end = what.data() + what.size();
  const auto [at, error] = std::from_chars(what.data() + prefix.size(), end, rank);
  if (error != std::errc() || at != end || rank >= ranks) return std::nullopt;
  return rank;
}

std::string known_to(const trace::Trace& trace) {
  std::string names;
  for (const trace::NamedPart& part : trace_info(trace).named)
    names.append(lb::quoted(part.name)).append(", ");
  return names.append("and 'rank 0' to 'rank ").append(std::to_string(trace.object_count() - 1)).append("'");
}

/// Whether events are inside of a region or entry method, as they come.
class Inside {
 public:
  Inside(const trace::Trace& trace, const std::string& name) : trace_(trace), name_(name) {}
  /// The burst of the event is before what it begins or ends.
  bool burst_of(const Event& event) {
    const bool was_inside = depth_ > 0;
    switch (event.kind) {
      case EventKind::region_begin:
        depth_ += trace_.names()[event.list[0]] == name_;
        break;
      case EventKind::region_end:
        depth_ -= depth_ > 0 && trace_.names()[event.list[0]] == name_;
        break;
      case EventKind::execute:
        depth_ = trace_.names()[static_cast<std::size_t>(event.tag)] == name_;
        break;
      case EventKind::finish:
        depth_ = 0;
        break;
      default:
        break;
    }
    return was_inside;
  }

 private:
  const trace::Trace& trace_;
  const std::string& name_;
  int depth_ = 0;
};

}  // namespace

trace::Trace with_faster(const trace::Trace& trace, const std::string& what, double factor) {
  const std::optional<trace::ObjectIndex> rank = rank_of(what, trace.object_count());
  bool found = rank.has_value();
  trace::TraceBuilder builder = trace::builder_like(trace, trace.header());
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Inside inside(trace, what);
    trace::Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      Event faster = *event;
      if (inside.burst_of(*event) || rank == object) {
        found = true;
        faster.burst_ns =
            static_cast<std::uint64_t>(std::llround(static_cast<double>(event->burst_ns) / factor));
      }
      builder.add(object, faster);
    }
  }
  if (!found)
    throw SimulationError("nothing is called " + lb::quoted(what) + " in the trace; it has " +
                          known_to(trace));
  return std::move(builder).finish();
}

}  // namespace skein::simulate
