// SPDX-License-Identifier: Apache-2.0
// --trace of a native program: which object executed what and when, what of it sent messages, and what each
// execution waited for.
//
// Causes go along with messages as tickets (skein/chare/ticket.hpp). A message that an element makes is its
// next one, an event of its stream. What the runtime makes while it receives a message, or delivers a result,
// is a consequence of that: it gets the same ticket and is no event. So a broadcast is one message that
// causes executions everywhere, however the runtime passes it on.
//
// Objects are numbered by the PE where they were first heard of: 0 to P - 1 are the PEs themselves, then come
// k * P + PE. All is called on a PE's own stack or from an entry method; nothing switches or waits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skein/chare/array_base.hpp"
#include "skein/lb/trace.hpp"

namespace skein::chare {

/// Before the first message, on each PE, after trace::start_recording().
void record_executions();
/// At the end of the job: the objects that are left end.
void end_records();

/// While it lives, what is made is a consequence of the ticket's message. A ticket whose cause is `own` is
/// none: what is made is a message of who runs.
class Consequences {
 public:
  explicit Consequences(const Ticket& of);
  ~Consequences();
  Consequences(const Consequences&) = delete;
  Consequences& operator=(const Consequences&) = delete;

 private:
  Ticket before_;
};
inline constexpr std::uint32_t kOwn = ~std::uint32_t{0};
/// The ticket of an execution that is no message's consequence.
inline Ticket because_of(trace::Cause cause, std::uint32_t array = 0, std::uint64_t serial = 0) {
  return {array, static_cast<std::uint32_t>(cause), serial};
}

/// The ticket of a message that leaves the PE or is received at once. `event`: what its sender records.
Ticket ticket_of_posted(trace::EventKind event, std::size_t bytes);
/// The ticket of a message of the runtime to itself: the cause of what runs now.
Ticket inherited_ticket();
/// The ticket of a message in the queue.
Ticket ticket_of(Message& message);

/// An entry method of the element runs from `now` on; it is over. In ticks().
void begin_execution(Element& element, const EntryInfo& entry, const Ticket& because, std::uint64_t now);
void finish_execution(Element& element, std::uint64_t now);
/// It has just been made by an insertion, which is what is received: an execution says so, because of that
/// message, for what is made has passed as many sync points as who makes it.
void record_insertion(Element& element);
/// Each of their calls (Element::batched) has had `part` ticks, until `now`, because of what runs.
void record_batch(std::span<Element* const> elements, std::uint64_t part, std::uint64_t now);
/// A task runs while it lives: what it does is the PE's own, unless elements do it.
class TaskRecord {
 public:
  explicit TaskRecord(const Ticket& because);
  ~TaskRecord();
  TaskRecord(const TaskRecord&) = delete;
  TaskRecord& operator=(const TaskRecord&) = delete;
};
/// The ticket of the task that runs.
const Ticket& ticket_of_task();

void record_contribution(Element& element, std::uint32_t number);
void record_sync(Element& element);
/// Its bytes, as an LB step measured them.
void record_split(Element& element, Element& part, std::uint64_t bytes);
void record_end(Element& element);

/// What of an element's record goes with it.
struct RecordOnTheMove {
  std::uint32_t object;
  std::uint32_t requests;
  std::uint64_t messages, chunks;
};
RecordOnTheMove leave_record(Element& element);
/// The element that arrives next takes this record as soon as it is made (take_expected_record).
void expect_record(const RecordOnTheMove& record);
/// Those that came to this PE since the last call, and are here still; ascending.
std::vector<trace::ObjectIndex> take_arrivals();

}  // namespace skein::chare
