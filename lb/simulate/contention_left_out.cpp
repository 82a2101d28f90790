// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/contention.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace skein::simulate {
namespace {

using trace::ObjectIndex;

/// The computing of a recording's PEs in each interval between sync points, ns.
class Recorded {
 public:
  Recorded(const trace::Trace& trace, std::uint32_t pes_per_node)
      : trace_(trace), pes_per_node_(pes_per_node), first_points_(trace::first_points(trace)) {
    std::uint64_t objects = trace.object_count();
    for (ObjectIndex object = 0; object < objects; ++object)
      each_burst(object, [&](std::uint64_t interval, const trace::Event& event) {
        if (interval >= busy_.size()) busy_.resize(interval + 1, std::vector<double>(trace.header().pes, 0));
        busy_[interval][pe_of(object)] += static_cast<double>(event.burst_ns);
      });
  }

  /// Calls visit(interval, event) event by event; an interval ends with its sync point.
  template <class Visit>
  void each_burst(ObjectIndex object, Visit visit) const {
    std::uint64_t interval = first_points_[object];
    trace::Cursor cursor = trace_.events(object);
    while (const trace::Event* const event = cursor.next()) {
      visit(interval, *event);
      if (event->kind == trace::EventKind::sync) ++interval;
    }
  }

  PeIndex pe_of(ObjectIndex object) const { return trace_.header().placement[object]; }
  std::uint32_t most_on_a_node() const { return std::min(trace_.header().pes, pes_per_node_); }

  /// Returns, by interval and PE, a burst's time alone as a fraction of its recorded time.
  std::vector<std::vector<double>> alone(std::span<const double> contention) const {
    std::vector<std::vector<double>> parts = busy_;
    for (std::vector<double>& interval : parts) {
      const std::vector<double> busy = interval;
      for (PeIndex first = 0; first < busy.size(); first += pes_per_node_) {
        const std::size_t here = std::min<std::size_t>(pes_per_node_, busy.size() - first);
        parts_of_node(std::span(busy).subspan(first, here), contention, &interval[first]);
      }
    }
    return parts;
  }

 private:
  /// Computes the fractions of a node's PEs: those with less work finish first.
  static void parts_of_node(std::span<const double> busy, std::span<const double> contention, double* parts) {
    std::vector<std::size_t> order(busy.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return busy[i]; });
    double through = 0, work = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t computing = order.size() - i;
      const double length = busy[order[i]] - through;
      work += length / contention[std::min(computing, contention.size()) - 1];
      through += length;
      parts[order[i]] = through > 0 ? work / through : 1;
    }
  }

  const trace::Trace& trace_;
  const std::uint32_t pes_per_node_;
  const std::vector<std::uint64_t> first_points_;
  std::vector<std::vector<double>> busy_;
};

}  // namespace

std::string why_contention_stays(const trace::Trace& trace) {
  const trace::Header& header = trace.header();
  if (header.placement.size() != trace.object_count() ||
      std::ranges::any_of(header.placement, [&](PeIndex pe) { return pe >= header.pes; }))
    return "the recording does not say on which PEs its " + std::string(header.noun()) + " were";
  if (std::ranges::any_of(trace.steps(), [](const trace::RecordedStep& step) { return !step.moves.empty(); }))
    return std::string(header.noun()) +
           " moved in the recorded run, and it does not say between which sync points: record without a "
           "strategy";
  return "";
}

trace::Trace without_contention(const trace::Trace& trace, const Platform& recorded_on) {
  if (recorded_on.contention.empty() || !why_contention_stays(trace).empty()) return trace;
  const Recorded recorded(trace, recorded_on.pes_per_node);
  if (recorded.most_on_a_node() == 1) return trace;
  const std::vector<std::vector<double>> parts = recorded.alone(recorded_on.contention);
  trace::TraceBuilder builder = trace::builder_like(trace, trace.header());
  for (const trace::RecordedStep& step : trace.steps()) builder.add(step);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    recorded.each_burst(object, [&](std::uint64_t interval, trace::Event event) {
      event.burst_ns = static_cast<std::uint64_t>(
          static_cast<double>(event.burst_ns) * parts[interval][recorded.pe_of(object)] + 0.5);
      builder.add(object, event);
    });
  return std::move(builder).finish();
}

}  // namespace skein::simulate
