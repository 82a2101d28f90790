// SPDX-License-Identifier: Apache-2.0
// Exports traces for ui.perfetto.dev: a track for each object, below that of its first PE. Slices are bursts,
// calls, entry methods and regions; arrows go from a send to the call that got the message, or from a call to
// the entry method that it caused. Counters are the memory in use and those of bursts.
//
// An object's time is the sum of its bursts and calls, from the start of the job.
#include <unordered_map>

#include "lb/trace/formats/messages.hpp"
#include "lb/trace/formats/naming.hpp"
#include "lb/trace/formats/perfetto_packets.hpp"
#include "lb/trace/formats/remarks.hpp"

namespace skein::trace {
namespace {

constexpr std::uint64_t kOfPe = std::uint64_t{1} << 40, kOfObject = std::uint64_t{2} << 40,
                        kOfMemory = std::uint64_t{3} << 40, kOfSteps = std::uint64_t{4} << 40,
                        kOfCounters = std::uint64_t{5} << 40;

std::uint64_t flow_of(const Message& message) {
  return (std::uint64_t{message.channel} + 1) << 32 | (message.number & 0xffffffff);
}
/// Returns the flow of a native program's message: the number-th of an object.
std::uint64_t flow_of(ObjectIndex sender, std::uint64_t number) {
  return (std::uint64_t{sender} + 1) << 32 | (number & 0xffffffff);
}

class ObjectTrack {
 public:
  ObjectTrack(PerfettoWriter& out, const Trace& trace, const Messages& messages, ObjectIndex object)
      : out_(out), trace_(trace), object_(object), track_(kOfObject + object), messages_(messages, object) {}

  void write(MpiStream events) {
    while (const MpiStream::Step* const step = events.next()) write(*step);
    for (; open_ > 0; --open_) put({.type = SliceType::end});
  }

 private:
  void put(TrackEvent event) {
    if (event.track == 0) event.track = track_;
    event.time_ns = now_;
    out_.event(event);
  }
  void burst(const MpiStream::Step& step) {
    if (step.burst_ns == 0) return;
    const std::vector<std::string>& counters = trace_.header().counters;
    for (std::size_t i = 0; i < step.event->counters.size() && i < counters.size(); ++i)
      put({.type = SliceType::counter,
           .track = kOfCounters + object_ * counters.size() + i,
           .value = step.event->counters[i]});
    put({.type = SliceType::begin, .name = "compute", .category = "compute"});
    now_ += step.burst_ns;
    put({.type = SliceType::end});
  }
  /// Adds a call, as a slice if it took time, else as an instant.
  void call(TrackEvent what, std::uint64_t took_ns) {
    what.type = took_ns ? SliceType::begin : SliceType::instant;
    put(std::move(what));
    now_ += took_ns;
    if (took_ns) put({.type = SliceType::end});
  }
  void begin(std::string_view name, std::string_view category, std::vector<std::uint64_t> flows = {}) {
    put({.type = SliceType::begin, .name = name, .category = category, .flows = std::move(flows)});
    ++open_;
  }
  void end() {
    if (open_ == 0) return;  // the recording began inside the region
    --open_;
    put({.type = SliceType::end});
  }
  void write(const MpiStream::Step& step);
  TrackEvent message(const MpiStream::Step& step, std::string_view name);

  PerfettoWriter& out_;
  const Trace& trace_;
  const ObjectIndex object_;
  const std::uint64_t track_;
  std::uint64_t now_ = 0;
  std::uint64_t open_ = 0;   // regions and entry methods
  std::uint64_t calls_ = 0;  // messages of a native object
  MessageCounter messages_;
  std::unordered_map<std::uint64_t, std::uint64_t> incoming_;  // flows by request
};

TrackEvent ObjectTrack::message(const MpiStream::Step& step, std::string_view name) {
  const Event& event = *step.event;
  const bool sends = event.kind == EventKind::send;
  TrackEvent what{.name = name, .category = "mpi"};
  if (!step.channel) return what;
  const Channel& channel = *step.channel;
  const std::uint64_t flow = flow_of(messages_.count(channel, sends));
  if (sends)
    what.flows = {flow};
  else if (event.starts_request)
    incoming_[step.request] = flow;
  else
    what.flows_end = {flow};
  what.numbers = {{sends ? "to" : "from", sends ? channel.receiver : channel.sender},
                  {"tag", channel.tag},
                  {"bytes", static_cast<std::int64_t>(step.bytes)},
                  {"communicator", channel.communicator}};
  return what;
}

void ObjectTrack::write(const MpiStream::Step& step) {
  const Event& event = *step.event;
  burst(step);
  const std::string name = called(trace_, event);
  const auto bytes = static_cast<std::int64_t>(event.bytes);
  switch (event.kind) {
    case EventKind::send:
    case EventKind::receive:
      call(message(step, name), event.call_ns);
      break;
    case EventKind::wait: {
      TrackEvent what{.name = name, .category = "mpi"};
      for (const std::uint64_t request : step.requests)
        if (const auto found = incoming_.find(request); found != incoming_.end()) {
          what.flows_end.push_back(found->second);
          incoming_.erase(found);
        }
      what.numbers = {{"requests", static_cast<std::int64_t>(step.requests.size())}};
      call(std::move(what), event.call_ns);
      break;
    }
    case EventKind::collective: {
      TrackEvent what{.name = name, .category = "mpi"};
      what.numbers = {{"communicator", event.communicator}, {"bytes", bytes}};
      if (event.partner != kAny) what.numbers.push_back({"root", event.partner});
      call(std::move(what), event.call_ns);
      break;
    }
    case EventKind::sync:
      put({.type = SliceType::counter, .track = kOfMemory + object_, .value = bytes});
      call({.name = name, .category = "balance"}, event.call_ns);
      break;
    case EventKind::file:
    case EventKind::sleep:
    case EventKind::probe:
      call({.name = name,
            .category = event.kind == EventKind::file ? "file" : "mpi",
            .numbers = {{"bytes", bytes}}},
           event.call_ns);
      break;
    case EventKind::region_begin:
      begin(name, "region");
      break;
    case EventKind::region_end:
    case EventKind::finish:
      end();
      break;
    case EventKind::execute: {
      now_ += event.call_ns;
      std::vector<std::uint64_t> cause;
      if (static_cast<Cause>(event.what) == Cause::message && event.partner >= 0)
        cause = {flow_of(static_cast<ObjectIndex>(event.partner), event.serial)};
      begin(name, "entry", std::move(cause));
      break;
    }
    case EventKind::call:
    case EventKind::broadcast:
    case EventKind::create:
      call({.name = name,
            .category = "entry",
            .flows = {flow_of(object_, calls_++)},
            .numbers = {{"bytes", bytes}}},
           event.call_ns);
      break;
    case EventKind::contribute:
    case EventKind::split:
      call({.name = name, .category = "entry"}, event.call_ns);
      break;
    case EventKind::matched:
    case EventKind::end:
      break;
  }
}

void write_tracks(PerfettoWriter& out, const Trace& trace) {
  const Header& header = trace.header();
  for (std::uint32_t pe = 0; pe < header.pes; ++pe)
    out.track(kOfPe + pe, 0, "PE " + std::to_string(pe), static_cast<std::int32_t>(pe));
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    const std::uint64_t parent = object < header.placement.size() ? kOfPe + header.placement[object] : 0;
    const std::string name = called(trace, object);
    out.track(kOfObject + object, parent, name, static_cast<std::int32_t>(object));
    out.counter_track(kOfMemory + object, kOfObject + object, "memory of " + name, CounterUnit::bytes);
    for (std::size_t i = 0; i < header.counters.size(); ++i)
      out.counter_track(kOfCounters + object * header.counters.size() + i, kOfObject + object,
                        header.counters[i] + " of " + name, CounterUnit::count);
  }
}

void write_steps(PerfettoWriter& out, const Trace& trace) {
  if (trace.steps().empty()) return;
  out.track(kOfSteps, 0, "LB steps", -1);
  for (const RecordedStep& step : trace.steps()) {
    out.event({.type = SliceType::begin,
               .track = kOfSteps,
               .time_ns = step.time_ns,
               .name = "LB step",
               .category = "balance",
               .numbers = {{"moved", static_cast<std::int64_t>(step.moves.size())}},
               .text = {"strategy", step.strategy}});
    out.event({.type = SliceType::end, .track = kOfSteps, .time_ns = step.time_ns + step.took_ns});
  }
}

}  // namespace

Remarks export_perfetto(const Trace& trace, const std::string& path) {
  const Messages messages(trace);
  PerfettoWriter out(path);
  write_tracks(out, trace);
  write_steps(out, trace);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    ObjectTrack(out, trace, messages, object).write(messages.stream(object));
  out.close();
  Remarker remarks;
  if (!trace.complete()) remarks.add("recording that was cut short: objects end where it ended");
  return remarks.take();
}

}  // namespace skein::trace
