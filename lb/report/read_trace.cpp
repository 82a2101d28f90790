// SPDX-License-Identifier: Apache-2.0
// Makes a trace a run: bursts over time with their counters, messages between objects, and computing of PEs
// between sync points.
//
// A trace has an object's bursts and the times of its calls; nonblocking calls take no time. So a burst
// begins at the sum of the times before it: accurate enough for a picture. Elements of native programs wait
// without a call, so the trace lacks their waiting times: they get the times of a simulation.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "read.hpp"
#include "skein/lb/trace_beginning.hpp"
#include "spans.hpp"
#include "trace_regions.hpp"
#include "trace_waits.hpp"

namespace skein::report {
namespace {

constexpr std::size_t kMostNumbers =
    2'000'000;  // bursts with their counters: as many as a page shows with ease
constexpr std::size_t kMostIntervals = 2'000;
constexpr std::uint64_t kMostPathEvents = 10'000'000;  // each takes some hundred bytes
constexpr std::uint64_t kMostPathNs = std::uint64_t{1} << 61;
constexpr std::size_t kMostArrows = 100'000;

bool is_message(trace::EventKind kind) {
  return kind == trace::EventKind::send || kind == trace::EventKind::call;
}

/// The computing of one object between its sync points.
struct Stream {
  std::vector<std::uint64_t> burst_ns;  // by sync point, and after the last
  std::vector<std::uint64_t> end_ns;    // when it reached each sync point, and its end
  std::vector<double> counts;           // like burst_ns, counter by counter
};

class TraceReader {
 public:
  /// `finds_path`: true if the trace tells how long its objects waited.
  TraceReader(const trace::Trace& trace, Run& run, bool finds_path)
      : trace_(trace),
        run_(run),
        counters_(trace.header().counters.size()),
        bursts_(kMostNumbers / (1 + counters_), counters_, true),
        regions_(trace),
        waits_(trace),
        finds_path_(finds_path) {
    std::uint64_t events = 0;
    for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object)
      events += trace.event_count(object);
    if (events <= kMostPathEvents) return;
    finds_path_ = false;
    run.warnings.push_back("Messages and the critical path are computed only for up to " +
                           std::to_string(kMostPathEvents) + " events, but the trace has " +
                           std::to_string(events) +
                           ": record fewer steps, or coarsen it (skein trace coarsen).");
  }

  void read() {
    const std::vector<std::uint64_t> first_points = trace::first_points(trace_);
    for (trace::ObjectIndex object = 0; object < trace_.object_count(); ++object)
      sum_up(object, first_points[object]);
    intervals();
    for (trace::ObjectIndex object = 0; object < trace_.object_count(); ++object)
      draw(object, first_points[object]);
    take_bursts();
    regions_.finish(run_);
    waits_.finish(run_);
    find_path();
    for (const auto& [pair, traffic] : traffic_) run_.traffic.push_back(traffic);
    std::ranges::sort(run_.traffic, {}, [](const Traffic& t) { return std::pair(t.from, t.to); });
  }

 private:
  /// Adds the number-th event of a stream, even one without a burst: it tells where the call begins.
  void add_to_path(trace::ObjectIndex object, std::uint64_t point, std::uint64_t number,
                   const trace::Event& event, std::uint64_t begin_ns) {
    finds_path_ &= begin_ns <= kMostPathNs && event.burst_ns <= kMostPathNs && event.call_ns <= kMostPathNs;
    if (!finds_path_) return;
    const PeIndex pe = places_[std::min<std::size_t>(point / together_, places_.size() - 1)][object];
    const auto begin = static_cast<simulate::Ns>(begin_ns),
               end = begin + static_cast<simulate::Ns>(event.burst_ns);
    path_.bursts.push_back({object, pe, begin, end, number});
    if (event.kind == trace::EventKind::file && event.call_ns > 0)
      path_.bursts.push_back({object, pe, end, end + static_cast<simulate::Ns>(event.call_ns), number});
  }

  /// Finds the critical path from who waited for whom.
  void find_path() {
    if (!finds_path_) return;
    path_.pes = run_.pes;
    path_.makespan = std::llround(run_.seconds * 1e9);
    try {
      const simulate::Causes causes = simulate::find_causes(trace_, path_);
      run_.path = simulate::critical_path(trace_, path_, causes, 0);
      run_.flights = simulate::find_flights(causes, kMostArrows);
    } catch (const trace::TraceError& error) {
      run_.warnings.push_back("Messages and the critical path are not known: " + std::string(error.what()) +
                              ".");
    }
  }

  void sum_up(trace::ObjectIndex object, std::uint64_t first_point) {
    Stream& stream = streams_.emplace_back();
    stream.burst_ns.resize(first_point + 1, 0);
    stream.end_ns.resize(first_point, 0);
    stream.counts.resize(stream.burst_ns.size() * counters_, 0);
    std::uint64_t now = 0;
    trace::Cursor cursor = trace_.events(object);
    while (const trace::Event* const event = cursor.next()) {
      for (std::size_t i = 0; i < std::min(counters_, event->counters.size()); ++i)
        stream.counts[stream.counts.size() - counters_ + i] += static_cast<double>(event->counters[i]);
      stream.burst_ns.back() += event->burst_ns;
      now += event->burst_ns + event->call_ns;
      if (event->kind == trace::EventKind::sync) {
        stream.end_ns.push_back(now);
        stream.burst_ns.push_back(0);
        stream.counts.resize(stream.burst_ns.size() * counters_, 0);
      }
      if (is_message(event->kind) && event->partner >= 0) message(object, *event);
    }
    stream.end_ns.push_back(now);
  }

  void draw(trace::ObjectIndex object, std::uint64_t first_point) {
    std::vector<float> counts(counters_);
    std::uint64_t point = first_point, now = 0;
    trace::Cursor cursor = trace_.events(object);
    for (std::uint64_t number = 0; const trace::Event* const event = cursor.next(); ++number) {
      for (std::size_t i = 0; i < counters_; ++i)
        counts[i] = i < event->counters.size() ? static_cast<float>(event->counters[i]) : 0;
      if (event->burst_ns > 0) bursts_.add({object, object, now, now + event->burst_ns}, counts);
      add_to_path(object, point, number, *event, now);
      now += event->burst_ns + event->call_ns;
      if (!trace_.header().native) waits_.add(object, *event, now - event->call_ns, now);
      regions_.add(object, *event, now);
      if (event->kind == trace::EventKind::sync) ++point;
    }
    regions_.end_object(object, now);
    waits_.end_object();
    run_.seconds = std::max(run_.seconds, static_cast<double>(now) * 1e-9);
  }

  void take_bursts() {
    bursts_.finish();
    if (bursts_.thinned())
      run_.timeline_note = "Bursts with less than " + std::to_string(bursts_.join_below_ns() / 1000) +
                           " us between them are drawn as one: there are too many.";
    run_.bursts = bursts_.take_spans();
    run_.counters.names = trace_.header().counters;
    run_.counters.of_bursts = bursts_.take_counts();
  }

  void message(trace::ObjectIndex object, const trace::Event& event) {
    const auto to = static_cast<ObjectIndex>(event.partner);
    Traffic& traffic = traffic_[static_cast<std::uint64_t>(object) << 32 | to];
    traffic.from = object;
    traffic.to = to;
    traffic.bytes += static_cast<double>(event.bytes);
    ++traffic.messages;
  }

  /// Sums the bursts by interval and PE. Intervals end with sync points; many points share an interval.
  void intervals() {
    std::size_t points = 0;
    for (const Stream& stream : streams_) points = std::max(points, stream.burst_ns.size() - 1);
    const std::size_t together = together_ = points / kMostIntervals + 1, count = points / together + 1;
    run_.busy_s.assign(count * run_.pes, 0);
    run_.interval_end_s.assign(count, 0);
    run_.counters.pe_rates.assign(counters_, std::vector<double>(run_.busy_s.size(), 0));
    places_ = places_by_interval(count, together);
    for (std::size_t object = 0; object < streams_.size(); ++object) {
      const Stream& stream = streams_[object];
      for (std::size_t point = 0; point < stream.burst_ns.size(); ++point) {
        const std::size_t interval = std::min(point / together, count - 1);
        const std::size_t cell = interval * run_.pes + places_[interval][object];
        run_.busy_s[cell] += static_cast<double>(stream.burst_ns[point]) * 1e-9;
        for (std::size_t i = 0; i < counters_; ++i)
          run_.counters.pe_rates[i][cell] += stream.counts[point * counters_ + i];
        double& end = run_.interval_end_s[interval];
        end = std::max(end, static_cast<double>(stream.end_ns[point]) * 1e-9);
      }
    }
    for (std::vector<double>& rates : run_.counters.pe_rates)
      for (std::size_t at = 0; at < rates.size(); ++at)
        rates[at] = run_.busy_s[at] > 0 ? std::max(0.0, rates[at] / run_.busy_s[at]) : 0;
    object_counts();
    double before = 0;
    for (double& end : run_.interval_end_s) {
      end = std::max(end, before);
      run_.interval_s.push_back(end - before);
      before = end;
    }
  }

  void object_counts() {
    if (counters_ == 0) return;
    for (const Stream& stream : streams_) {
      const std::uint64_t computed_ns =
          std::accumulate(stream.burst_ns.begin(), stream.burst_ns.end(), std::uint64_t{0});
      run_.counters.object_s.push_back(static_cast<double>(computed_ns) * 1e-9);
      for (std::size_t i = 0; i < counters_; ++i) {
        double sum = 0;
        for (std::size_t at = i; at < stream.counts.size(); at += counters_) sum += stream.counts[at];
        run_.counters.of_objects.push_back(sum);
      }
    }
  }

  /// Returns the time of each sync point and of the end, by the clock of the steps. Rank 0 has passed all
  /// points, and its calls include its waiting. Of elements the last to pass a point counts.
  std::vector<std::uint64_t> point_times() const {
    if (!trace_.header().native) return streams_[0].end_ns;
    std::vector<std::uint64_t> times(1, UINT64_MAX);
    for (const Stream& stream : streams_) {
      if (stream.end_ns.size() > times.size())
        times.insert(times.end() - 1, stream.end_ns.size() - times.size(), 0);
      for (std::size_t point = 0; point + 1 < stream.end_ns.size(); ++point)
        times[point] = std::max(times[point], stream.end_ns[point]);
    }
    return times;
  }

  /// Returns the placement by interval: a step's moves hold from the sync point nearest to it.
  std::vector<std::vector<PeIndex>> places_by_interval(std::size_t count, std::size_t together) {
    std::vector<PeIndex> now = trace_.header().placement;
    now.resize(streams_.size(), 0);
    run_.placement = now;
    std::vector<std::vector<PeIndex>> places;
    const std::span<const trace::RecordedStep> steps = trace_.steps();
    const std::vector<std::uint64_t> ends = point_times();
    std::size_t next = 0;
    for (std::size_t interval = 0; interval < count; ++interval) {
      places.push_back(now);
      const std::size_t last = std::min((interval + 1) * together, ends.size()) - 1;
      Step step;
      step.at_s = static_cast<double>(ends[last]) * 1e-9;
      for (; next < steps.size() && (steps[next].time_ns <= ends[last] || interval + 2 == count); ++next) {
        step.strategy = steps[next].strategy;
        step.move_s += static_cast<double>(steps[next].took_ns) * 1e-9;
        for (const auto& [object, pe] : steps[next].moves) {
          if (object >= now.size() || pe >= run_.pes || now[object] == pe) continue;
          step.moves.push_back({object, now[object], pe});
          now[object] = pe;
        }
      }
      step.moved = step.moves.size();
      if (!step.strategy.empty())
        path_.steps.emplace_back().points = last + 1 - std::exchange(step_point_, last + 1);
      if (!steps.empty() && interval + 1 < count) run_.steps.push_back(std::move(step));
    }
    return places;
  }

  const trace::Trace& trace_;
  Run& run_;
  std::size_t counters_, together_ = 1;  // sync points in an interval
  Spans bursts_;
  TraceRegions regions_;
  TraceWaits waits_;
  simulate::Timeline path_;  // the part of it that finds the critical path
  bool finds_path_;
  std::vector<Stream> streams_;
  std::vector<std::vector<PeIndex>> places_;  // by interval
  std::uint64_t step_point_ = 0;              // of the last LB step so far
  std::unordered_map<std::uint64_t, Traffic> traffic_;
};

/// Returns true if the trace is a simulated run of a native program.
bool tells_waits(const trace::Trace& trace) {
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    trace::Cursor events = trace.events(object);
    while (const trace::Event* const event = events.next())
      if (event->kind == trace::EventKind::execute && event->call_ns > 0) return true;
  }
  return false;
}

/// Gives the trace of a native program its elements' waiting times. Returns false if they stay unknown.
bool play_again(trace::Trace& trace, Run& run, const Play& play) {
  std::string why;
  try {
    if (play) trace = play(trace);
  } catch (const simulate::SimulationError& error) {
    why = std::string(", and it could not be played again: ") + error.what();
  }
  const bool played = play && why.empty();
  run.warnings.push_back("The trace of a native program does not tell how long its elements waited" + why +
                         (played ? ": times are those of its executions played again where they ran, with "
                                   "messages and LB steps that take no time."
                                 : ": times are as if nobody had waited."));
  return played;
}

}  // namespace

Run read_recorded(const std::string& path, const Play& play) {
  try {
    trace::Trace trace = trace::read_trace(path);
    Run run;
    run.kind = RunKind::recorded;
    run.source = path;
    run.command =
        trace.header().options + (trace.header().options.empty() ? "" : " ") + trace.header().program;
    run.program = trace.header().program;
    run.noun = trace.header().noun();
    run.objects = trace.object_count();
    if (run.objects == 0) throw ReportError(path + ": has no object, so there is nothing to show");
    run.pes = std::max<std::size_t>(1, trace.header().pes);
    for (const PeIndex pe : trace.header().placement) run.pes = std::max<std::size_t>(run.pes, pe + 1);
    if (!trace.complete())
      run.warnings.push_back(
          "The trace has no end: the run was killed, or goes on. What was not yet written is missing.");
    if (const std::string text = to_text(trace.header().disturbance); !text.empty())
      run.warnings.emplace_back("As it was recorded, ").append(text).append(".");
    const bool has_waits = !trace.header().native || tells_waits(trace) || play_again(trace, run, play);
    TraceReader(trace, run, has_waits).read();
    return run;
  } catch (const trace::TraceError& error) {
    throw ReportError(error.what());
  }
}

}  // namespace skein::report
