// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/broadcasts.hpp"

#include <deque>
#include <memory>

#include "runtime/base/clock.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/elements_state.hpp"
#include "runtime/chare/elements/insertion_grants.hpp"
#include "runtime/chare/elements/wishes.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"

namespace skein::chare {
namespace {

/// Kept for elements from a PE where fewer broadcasts have run. There is no bound on how far PEs are apart: a
/// PE without a core for a while falls behind by as many as others make meanwhile.
constexpr std::size_t kBroadcastsKept = 256;
constexpr std::size_t kBytesKept = 16 << 20;  // while all are within this size, more are kept

void run_broadcast(Element& element, const Message& call, const Ticket& because) {
  ++element.broadcasts;
  calls_here.running = {&element, call.entry};
  if (settings.tickets_kept) [[unlikely]]
    begin_execution(element, *call.entry, because, ticks());
  call.entry->call(call, element);
  after_call(element);
}

/// Runs one broadcast, after those before it.
struct Broadcast final : Task {
  ArrayBase& its_array;
  std::uint32_t its_number;
  Broadcast(ArrayBase& the_array, std::uint32_t number) : its_array(the_array), its_number(number) {}

  const ArrayBase* array() const override { return &its_array; }
  void run() override {
    std::deque<Broadcasts::ToRun>& broadcasts = elements_state->broadcasts.to_run[&its_array];
    while (its_array.broadcasts_run <= its_number) {
      const Broadcasts::ToRun oldest = std::move(broadcasts.front());
      broadcasts.pop_front();
      run_for_all(its_array, oldest);
    }
  }

 private:
  static void run_for_all(ArrayBase& array, const Broadcasts::ToRun& broadcast) {
    const std::uint32_t number = array.broadcasts_run++;
    array.begin_broadcast();
    // Elements that arrive meanwhile are behind the end, and have caught up by themselves.
    const std::size_t count = array.elements().size();
    for (std::size_t i = 0; i < count; ++i) {
      Element* const element = array.elements()[i];
      // An element that is behind has a CatchingUp in the queue; one that is ahead had this broadcast
      // elsewhere.
      if (!element || element->broadcasts != number) continue;
      run_broadcast(*element, *broadcast.call, broadcast.because);
    }
    array.end_broadcast();
    calls_here.running = {};
  }
};

/// Runs for an element the broadcasts that it missed while it moved, in order, unless it has left again.
struct CatchingUp final : ElementTask {
  using ElementTask::ElementTask;
  void run() override {
    ArrayBase& array = *element.array;
    while (!element.gone && element.broadcasts < array.broadcasts_run) {
      const std::size_t back = array.broadcasts_queued - element.broadcasts;
      if (back > array.past.size())
        fail(name_of(element) + " came from a PE that is behind by more than the last " +
             std::to_string(array.past.size()) +
             " broadcasts to its array, and only these are kept: send fewer at a time, for example by "
             "waiting for a reduction after some");
      const auto& missed = array.past[array.past.size() - back];
      pup::Blocks none;
      Message& call = *missed.entry->unpack(*missed.entry, missed.arguments, none);
      run_broadcast(element, call, ticket_of_task());
      call.entry->drop(call);
    }
  }
};

std::size_t bytes_of_past(const ArrayBase::PastBroadcast& broadcast) {
  return sizeof broadcast + broadcast.arguments.size();
}

void forget_oldest(ArrayBase& array) {
  array.past_bytes -= bytes_of_past(array.past.front());
  array.past.pop_front();
}

void keep_for_late_elements(ArrayBase& array, const EntryInfo& entry, Bytes arguments) {
  array.past.push_back({&entry, {arguments.begin(), arguments.end()}});
  array.past_bytes += bytes_of_past(array.past.back());
  while (array.past.size() > kBroadcastsKept && array.past_bytes > kBytesKept) forget_oldest(array);
}

void enqueue_broadcast(ArrayBase& array, const EntryInfo& entry, Bytes arguments, std::int64_t priority) {
  keep_for_late_elements(array, entry, arguments);
  pup::Blocks none;
  Broadcasts::ToRun broadcast{decltype(Broadcasts::ToRun::call)(entry.unpack(entry, arguments, none)),
                              settings.tickets_kept ? inherited_ticket() : Ticket{}};
  elements_state->broadcasts.to_run[&array].push_back(std::move(broadcast));
  enqueue(std::make_unique<Broadcast>(array, array.broadcasts_queued++), priority);
}

struct BroadcastHeader {
  std::uint32_t array, entry, number, unused = 0;
  std::int64_t priority;
};

void on_broadcast_wish(int, Bytes message) {
  auto header = unpack_front<BroadcastHeader>(message);
  header.number = elements_state->broadcasts.next[header.array]++;
  post_to_all(Kind::broadcast, bytes_of(header), message);
}

void take_broadcast(int from_pe, Bytes message) {
  Bytes rest = message;
  const auto header = unpack_front<BroadcastHeader>(rest);
  if (!await_array(take_broadcast, from_pe, header.array, message)) return;
  ArrayBase& array = array_number(header.array);
  if (header.number != array.broadcasts_queued) {
    array.early_broadcasts[header.number].assign(message.begin(), message.end());
    return;
  }
  enqueue_broadcast(array, entry_number(header.entry), rest, header.priority);
  const auto next = array.early_broadcasts.find(array.broadcasts_queued);
  if (next == array.early_broadcasts.end()) return;
  const std::vector<std::byte> early_message = std::move(next->second);
  array.early_broadcasts.erase(next);
  take_broadcast(from_pe, early_message);
}

void on_broadcast(int from_pe, Bytes message) {
  pass_down(Kind::broadcast, message);
  take_broadcast(from_pe, message);
}

const Receives broadcast_wishes(Kind::broadcast_wish, on_broadcast_wish);
const Receives broadcasts(Kind::broadcast, on_broadcast);

}  // namespace

std::uint32_t next_broadcast(std::uint32_t array) { return elements_state->broadcasts.next[array]; }

void begin_broadcasts_behind(ArrayBase& array, std::uint32_t next) {
  elements_state->broadcasts.next[array.number()] = array.broadcasts_queued = array.broadcasts_run = next;
}
bool any_broadcast_to_run(const ArrayBase& array) {
  return array.broadcasts_run < array.broadcasts_queued || !array.early_broadcasts.empty();
}

void enqueue_catching_up(Element& element) { enqueue(std::make_unique<CatchingUp>(element)); }
void begin_broadcasts_at(Element& element, std::uint32_t number) {
  element.broadcasts = number;
  if (number < element.array->broadcasts_run) enqueue_catching_up(element);
}

void forget_past_broadcasts(ArrayBase& array) {
  while (array.past.size() > array.broadcasts_queued - array.broadcasts_run) forget_oldest(array);
}

void forget_broadcasts() { elements_state->broadcasts.to_run.clear(); }

void broadcast_call(std::uint32_t array, const EntryInfo& entry, Bytes arguments, std::int64_t priority) {
  const BroadcastHeader header{array, entry.number, 0, 0, priority};
  if (!awaits_grants()) return post(0, Kind::broadcast_wish, bytes_of(header), arguments);
  const Ticket ticket = settings.tickets_kept
                            ? ticket_of_posted(trace::EventKind::broadcast, sizeof header + arguments.size())
                            : Ticket{};
  after_grants([header, ticket, kept = std::vector(arguments.begin(), arguments.end())] {
    const Consequences of(ticket);
    post(0, Kind::broadcast_wish, bytes_of(header), kept);
  });
}

}  // namespace skein::chare
