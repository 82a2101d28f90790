// SPDX-License-Identifier: Apache-2.0
// --trace of a native program: which object executed which method and when, which messages it sent meanwhile,
// and what each execution waited for.
//
// Causes travel with messages as tickets (skein/chare/ticket.hpp). A message that an element makes is its
// next one, an event of its stream. A message that the runtime makes while it receives one, or delivers a
// result, is a consequence of that: it gets the same ticket and is no event. So a broadcast is one message
// that causes executions everywhere, however the runtime passes it on.
//
// Objects are numbered by the PE that first heard of them: 0 to P - 1 are the PEs themselves, then come k * P
// + PE. All functions are called on a PE's own stack or from an entry method; none switches or waits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "skein/chare/array_base.hpp"
#include "skein/lb/trace.hpp"

namespace skein::chare {

/// Begins recording. On each PE, before the first message and after trace::start_recording().
void record_executions();
/// Ends the remaining objects. At the end of the job.
void end_records();

/// Makes messages, while it lives, consequences of the ticket's message. With a ticket whose cause is kOwn,
/// messages are the running object's own.
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
/// Returns the ticket of an execution that no message caused.
inline Ticket because_of(trace::Cause cause, std::uint32_t array = 0, std::uint64_t serial = 0) {
  return {array, static_cast<std::uint32_t>(cause), serial};
}

/// Returns the ticket of a message that leaves the PE or is received at once. `event`: the sender's event.
Ticket ticket_of_posted(trace::EventKind event, std::size_t bytes);
/// Returns the ticket of a message of the runtime to itself: the cause of the running execution.
Ticket inherited_ticket();
/// Returns the ticket of a message in the queue.
Ticket ticket_of(Message& message);

/// Begin and end an execution of the element's entry method, at `now`, in ticks().
void begin_execution(Element& element, const EntryInfo& entry, const Ticket& because, std::uint64_t now);
void finish_execution(Element& element, std::uint64_t now);
/// Records an execution for an element that an insertion, the message being received, has just made: that
/// message is its cause, as the new element has passed as many sync points as its maker.
void record_insertion(Element& element);
/// Records that each of the elements' batched calls (Element::batched) took `part` ticks, until `now`, with
/// the cause of the running execution.
void record_batch(std::span<Element* const> elements, std::uint64_t part, std::uint64_t now);
/// Marks a running task while it lives: its acts are the PE's own, unless elements do them.
class TaskRecord {
 public:
  explicit TaskRecord(const Ticket& because);
  ~TaskRecord();
  TaskRecord(const TaskRecord&) = delete;
  TaskRecord& operator=(const TaskRecord&) = delete;
};
/// Returns the ticket of the running task.
const Ticket& ticket_of_task();

void record_contribution(Element& element, std::uint32_t number);
void record_sync(Element& element);
/// Records a division. `bytes`: the size of the part, as an LB step measured it.
void record_split(Element& element, Element& part, std::uint64_t bytes);
void record_end(Element& element);

/// The part of an element's record that moves with it.
struct RecordOnTheMove {
  std::uint32_t object;
  std::uint32_t requests;
  std::uint64_t messages, chunks;
};
RecordOnTheMove leave_record(Element& element);
/// Gives this record to the element that arrives next, as soon as it is made (take_expected_record).
void expect_record(const RecordOnTheMove& record);
/// Returns the objects that came to this PE since the last call and are still here, ascending.
std::vector<trace::ObjectIndex> take_arrivals();

}  // namespace skein::chare
