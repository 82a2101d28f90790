// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/record/execution_record.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/load/processor_watch.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/trace/recording.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::chare {

namespace {

using trace::Cause;
using trace::Event;
using trace::EventKind;
using trace::ObjectIndex;

/// An element of this PE, or the PE. Its meter runs while it executes.
struct Recorded {
  ObjectIndex object = 0;
  std::uint64_t messages = 0;  // sent so far
  bool executes = false;
  bool left = false;     // the element has left; remaining references need its number
  bool arrived = false;  // since arrivals were asked for
  trace::Stream* stream_here = nullptr;
  trace::Progress progress;
  load::Meter meter;

  trace::Stream& stream() { return trace::stream_of(object, stream_here, progress, meter); }
};

constexpr Ticket kOwnMessages{0, kOwn, 0};

struct Record {
  ~Record() { settings.tickets_kept = false; }

  bool taking_part = false;  // true until the records have ended
  std::unordered_map<const Element*, std::unique_ptr<Recorded>> recorded;
  std::unique_ptr<Recorded> pe;
  Recorded* executing = nullptr;  // the element whose queued entry method runs; not one in a task
  ObjectIndex next_object = 0;
  RecordOnTheMove expected{};
  Ticket consequence_of = kOwnMessages;
  Ticket task_of_pe = kOwnMessages;          // the cause of the running task
  Ticket latest = because_of(Cause::begin);  // of the messages made here
  std::uint64_t task_began = 0;              // ticks
  std::vector<Recorded*> begun_by_task;
  std::vector<std::uint32_t> name_of_entry;  // by its number: 0 if unknown, else the name's number + 1
  // ---- the time of recording an event, in ticks
  double mean_taken = 0;
  std::uint32_t until_measured = 0, learned = 0;  // events
};
PerRuntime<Record> recording;

/// Keeps the time of recording inside an execution out of its bursts. That is mostly time of cache misses,
/// which a measurement at the start of a job does not show. So it is measured here, at one event in some, and
/// the others are taken to cost the mean of recent ones.
class RecordingTime {
 public:
  RecordingTime() : from_(recording->until_measured == 0 ? ticks() : 0) {}
  ~RecordingTime() {
    if (from_ == 0) {
      --recording->until_measured;
      leave_out(static_cast<std::uint64_t>(recording->mean_taken));
      return;
    }
    const std::uint64_t took = ticks() - from_;
    leave_out(took);
    learn(static_cast<double>(took));
    recording->until_measured = recording->learned < at_first ? 0 : between;
  }
  RecordingTime(const RecordingTime&) = delete;
  RecordingTime& operator=(const RecordingTime&) = delete;

 private:
  static constexpr std::uint32_t at_first = 64, between = 15;
  static void leave_out(std::uint64_t took) {
    if (recording->executing && recording->executing->executes)
      recording->executing->stream().leave_out(took);
  }
  /// Updates the mean; ignores outliers, which were disturbed.
  static void learn(double took) {
    constexpr double outlier = 8;
    if (recording->learned >= at_first && took > outlier * recording->mean_taken) return;
    recording->learned = std::min(recording->learned + 1, at_first);
    recording->mean_taken += (took - recording->mean_taken) / recording->learned;
  }

  const std::uint64_t from_;
};

std::uint32_t name_number(const EntryInfo& entry) {
  if (entry.number >= recording->name_of_entry.size()) recording->name_of_entry.resize(entry.number + 1);
  std::uint32_t& number = recording->name_of_entry[entry.number];
  if (number == 0) number = trace::number_of(entry.name) + 1;
  return number - 1;
}

Recorded& add_record(Element& element) {
  std::unique_ptr<Recorded>& record = recording->recorded[&element];
  record = std::make_unique<Recorded>();
  element.rare_made().recorded = record.get();
  return *record;
}

Recorded& record_of(Element& element) {
  if (void* const known = element.rare().recorded) [[likely]]
    return *static_cast<Recorded*>(known);
  Recorded& record = add_record(element);
  record.object = recording->next_object;
  recording->next_object += static_cast<ObjectIndex>(pe_count());
  trace::define_object(record.object, name_of(element));
  return record;
}

trace::EventKey key_of(EventKind kind, std::uint32_t what, std::uint64_t first, std::int32_t second) {
  return {static_cast<std::uint32_t>(kind) | what << 8 | 1u << 31, first, static_cast<std::uint32_t>(second)};
}

/// Writes an event, and charges the time of writing to no element.
template <class Put>
void put_with(Recorded& who, const Put& put_into) {
  const std::uint64_t before = who.meter.resumed_at;
  put_into(who.stream());
  if (who.meter.resumed_at != before) charge_nobody(who.meter.resumed_at - before);
}
void put(Recorded& who, const Event& event) {
  put_with(who, [&](trace::Stream& stream) { stream.add(event); });
}

void begin(Recorded& who, std::uint32_t name, const Ticket& because, std::uint64_t now) {
  who.executes = true;
  load::begin_keeping_processor();
  who.meter.resumed_at = now;
  who.stream().begin_burst(who.meter.busy_ticks);
  const auto cause = static_cast<Cause>(because.cause);
  const std::uint32_t object = cause == Cause::reduction || cause == Cause::message ? because.object : 0;
  const auto tag = static_cast<std::int32_t>(name);
  const auto make = [&] {
    Event event{.kind = EventKind::execute, .what = static_cast<std::uint8_t>(cause)};
    event.tag = tag;
    if (cause == Cause::reduction) event.communicator = object;
    if (cause == Cause::message) event.partner = static_cast<std::int32_t>(object);
    return event;
  };
  put_with(who, [&](trace::Stream& stream) {
    stream.add_numbered(key_of(EventKind::execute, because.cause, object, tag), because.serial, make);
  });
}

void finish(Recorded& who, std::uint64_t now) {
  who.executes = false;
  // The time of a batch is known when all of it is over: it may be less than an element's clock showed.
  trace::Stream& its = who.stream();
  load::note_lost_ticks(who.meter, now - who.meter.resumed_at);
  who.meter.busy_ticks = std::max(who.meter.busy_ticks + (now - who.meter.resumed_at), its.burst_began());
  const std::uint64_t burst_ns = its.end_burst_at(who.meter.busy_ticks);
  put_with(who, [&](trace::Stream& stream) {
    stream.add(key_of(EventKind::finish, 0, 0, 0), {burst_ns, 0},
               [] { return Event{.kind = EventKind::finish}; });
  });
}

void stop_running(Recorded& who) {
  if (who.executes) finish(who, ticks());
  if (recording->executing == &who) recording->executing = nullptr;
  std::erase(recording->begun_by_task, &who);
}

/// Ends the stream of an element here. Calls that wait for the element are passed on, or dropped, later: so
/// the record stays until another element takes its place in memory. Its stream must not be made anew: the
/// element's own stream is where it has gone, perhaps here again.
void leave(Recorded& who) {
  trace::object_leaves(who.object);
  who.left = true;
}

/// Returns the running object, after beginning an execution for it. A method that another element calls
/// directly is a part of its own; what an element does while it leaves, in about_to_move() and its
/// destructor, is the PE's.
Recorded& running_one() {
  if (recording->executing) return *recording->executing;
  Recorded* const element = calls_here.running.element ? &record_of(*calls_here.running.element) : nullptr;
  Recorded& who = element && !element->left ? *element : *recording->pe;
  if (!who.executes) {
    const bool in_task = recording->task_of_pe.cause != kOwn;
    const std::uint32_t name = calls_here.running.entry && calls_here.running.element
                                   ? name_number(*calls_here.running.entry)
                                   : trace::number_of("function");
    begin(who, name, in_task ? recording->task_of_pe : recording->latest,
          in_task ? recording->task_began : ticks());
    recording->begun_by_task.push_back(&who);
  }
  return who;
}

/// Adds an event of `who`, with the burst before it. The event differs from others of its kind only in
/// communicator, partner, tag and bytes.
void add(Recorded& who, const Event& event) {
  const std::uint64_t first =
      std::uint64_t{event.communicator} << 32 | static_cast<std::uint32_t>(event.partner);
  put_with(who, [&](trace::Stream& stream) {
    stream.add(key_of(event.kind, 0, first, event.tag), event.bytes, [&] { return event; });
  });
}
/// Adds an event that has a serial number.
void add_numbered(Recorded& who, Event event) {
  who.stream().end_burst(event, static_cast<std::uint32_t>(event.kind) << 16);
  put(who, event);
}

/// Returns the element's event for a sync point, with the data that an LB step there would use.
Event sync_of(Element& element) {
  ArrayBase& array = *element.array;
  Event event{.kind = EventKind::sync, .what = array.divisible()};
  event.tag = std::max(array.level(element), lb::kNoLevel) + 1;
  event.bytes = array.packed_size(element);
  // A declared value that is no load is left out here; the first LB step refuses it.
  if (const std::optional<double> declared = array.declared_load(element); declared && *declared >= 0)
    event.serial = 1 + static_cast<std::uint64_t>(std::min(*declared * 1e9, 1e18));
  return event;
}

Ticket send(const Event& event) {
  Recorded& who = running_one();
  add(who, event);
  return recording->latest = {who.object, static_cast<std::uint32_t>(Cause::message), who.messages++};
}

/// Returns the ticket of a message made now. One made while neither the program runs nor a message is
/// received, such as collected calls, counts as a consequence of the last message sent here.
Ticket ticket_now(const Event& event) {
  if (recording->consequence_of.cause != kOwn) return recording->consequence_of;
  return calls_here.running.element || recording->task_of_pe.cause != kOwn ? send(event) : recording->latest;
}

}  // namespace

void record_executions() {
  const auto self = static_cast<ObjectIndex>(net::world.pe);
  settings.tickets_kept = true;
  recording->taking_part = balance::computes(net::world.pe);  // the trace has no other PEs
  trace::measuring.event_costs = {};
  recording->pe = std::make_unique<Recorded>();
  recording->pe->object = self;
  recording->next_object = self + static_cast<ObjectIndex>(pe_count());
}

void end_records() {
  if (!recording->taking_part) return;
  recording->taking_part = false;
  const auto end = [](Recorded& who) {
    stop_running(who);
    put(who, {.kind = EventKind::end});
  };
  for (auto& [element, record] : recording->recorded)
    if (!record->left) end(*record);
  end(*recording->pe);
}

void* allocate_with_ticket(std::size_t bytes) {
  auto* const ticket = static_cast<Ticket*>(take_block(sizeof(Ticket) + bytes));
  *ticket = {};
  return ticket + 1;
}
void free_with_ticket(void* message, std::size_t bytes) {
  give_block(&ticket_in_front_of(message), sizeof(Ticket) + bytes);
}

void give_ticket(Message& message) {
  if (!recording->taking_part) return;
  const RecordingTime in_no_burst;
  if (!message.to) {
    static_cast<Task&>(message).ticket =
        recording->consequence_of.cause == kOwn ? recording->latest : recording->consequence_of;
    return;
  }
  Event event{.kind = EventKind::call};
  event.tag = static_cast<std::int32_t>(name_number(*message.entry));
  event.bytes = message.entry->arguments.bytes;
  event.partner = static_cast<std::int32_t>(record_of(*message.to).object);
  ticket_in_front_of(&message) = ticket_now(event);
}

Consequences::Consequences(const Ticket& of) : before_(recording->consequence_of) {
  recording->consequence_of = of;
}
Consequences::~Consequences() { recording->consequence_of = before_; }

Ticket ticket_of_posted(EventKind event, std::size_t bytes) {
  Event sent{.kind = event};
  sent.bytes = bytes;
  if (!recording->taking_part) return kOwnMessages;
  const RecordingTime in_no_burst;
  return ticket_now(sent);
}

Ticket inherited_ticket() {
  return recording->consequence_of.cause == kOwn ? recording->latest : recording->consequence_of;
}

Ticket ticket_of(Message& message) {
  if (!settings.tickets_kept) return kOwnMessages;
  return message.to ? ticket_in_front_of(&message) : static_cast<Task&>(message).ticket;
}

void begin_execution(Element& element, const EntryInfo& entry, const Ticket& because, std::uint64_t now) {
  if (!recording->taking_part) return;
  Recorded& who = record_of(element);
  recording->executing = &who;
  if (who.executes) return;
  begin(who, name_number(entry), because, now);
  who.meter.resumed_at = ticks();  // no burst includes the time of this function
}

void finish_execution(Element& element, std::uint64_t now) {
  if (!recording->taking_part) return;
  Recorded& who = record_of(element);
  if (who.executes) finish(who, now);
  recording->executing = nullptr;
  std::erase(recording->begun_by_task, &who);
}

void record_insertion(Element& element) {
  if (!recording->taking_part || recording->consequence_of.cause == kOwn) return;
  Recorded& who = record_of(element);
  if (who.executes) return;  // its constructor has done something that is recorded
  begin(who, trace::number_of("inserted"), recording->consequence_of, ticks());
  finish(who, ticks());
}

void record_batch(std::span<Element* const> elements, std::uint64_t part, std::uint64_t now) {
  if (!recording->taking_part) return;
  for (Element* const element : elements)
    for (std::uint32_t call = 0; call < element->batched; ++call) {
      Recorded& who = record_of(*element);
      if (!who.executes) begin(who, trace::number_of("aggregated calls"), recording->task_of_pe, now - part);
      who.meter.resumed_at = now - part;
      finish(who, now);
      std::erase(recording->begun_by_task, &who);
    }
}

TaskRecord::TaskRecord(const Ticket& because) {
  recording->task_of_pe = because;
  recording->task_began = ticks();
}

TaskRecord::~TaskRecord() {
  const std::uint64_t now = ticks();
  for (Recorded* const who : recording->begun_by_task) finish(*who, now);
  recording->begun_by_task.clear();
  recording->task_of_pe = kOwnMessages;
}

const Ticket& ticket_of_task() { return recording->task_of_pe; }

void record_contribution(Element& element, std::uint32_t number) {
  if (!recording->taking_part) return;
  const RecordingTime in_no_burst;
  Event event{.kind = EventKind::contribute, .communicator = element.array->number()};
  event.serial = number;
  add_numbered(running_one(), event);
}

void record_sync(Element& element) {
  if (!recording->taking_part) return;
  Recorded& who = record_of(element);
  if (!who.executes) return put(who, sync_of(element));
  const trace::Entry before = who.stream().enter_reading();
  const Event event = sync_of(element);
  who.stream().leave_out(before);
  add_numbered(who, event);
}

void record_split(Element& element, Element& part, std::uint64_t bytes) {
  if (!recording->taking_part) return;
  Event event{.kind = EventKind::split};
  event.partner = static_cast<std::int32_t>(record_of(part).object);
  event.bytes = bytes;
  put(record_of(element), event);
}

void record_end(Element& element) {
  if (!recording->taking_part) return;
  if (!element.rare().recorded) return;
  Recorded& who = record_of(element);
  stop_running(who);
  put(who, {.kind = EventKind::end});
  leave(who);
}

RecordOnTheMove leave_record(Element& element) {
  Recorded& who = record_of(element);
  stop_running(who);
  leave(who);
  return {who.object, who.progress.requests, who.messages, who.progress.chunks};
}

void expect_record(const RecordOnTheMove& record) { recording->expected = record; }

void take_expected_record(Element& element) {
  Recorded& mine = add_record(element);
  mine.object = recording->expected.object;
  mine.arrived = true;
  mine.messages = recording->expected.messages;
  mine.progress.chunks = recording->expected.chunks;
  mine.progress.requests = recording->expected.requests;
}

std::vector<ObjectIndex> take_arrivals() {
  std::vector<ObjectIndex> arrivals;
  for (const auto& [element, record] : recording->recorded)
    if (std::exchange(record->arrived, false) && !record->left) arrivals.push_back(record->object);
  std::ranges::sort(arrivals);
  return arrivals;
}

}  // namespace skein::chare
