// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/loop.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "runtime/base/clock.hpp"
#include "runtime/chare/families.hpp"
#include "runtime/chare/native_note.hpp"
#include "runtime/chare/priorities.hpp"
#include "runtime/chare/quiescence.hpp"
#include "runtime/chare/reductions.hpp"
#include "runtime/chare/sections.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/move/lb_step.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/aggregator.hpp"

namespace skein::chare {

FreeBlock* free_blocks[block_sizes] = {};
Queue queue;
Running running;

namespace {

/// Linked into every native program, with the loop.
__attribute__((section(".note.skein"), used, aligned(4))) constexpr NativeNote note{
    sizeof native_note_owner, 0, native_note_type, {'S', 'k', 'e', 'i', 'n'}};

constexpr int calls_between_polls = 32;
/// What is held back to go together leaves an idle PE at once, and one that is never idle after this time:
/// somebody may wait for it, perhaps those that keep the PE busy.
constexpr double longest_hold_ns = 1e6;
constexpr std::size_t broadcasts_kept = 256;

bool over = false;
bool step_wanted = false;
bool dropping = false;
int exit_status = 0;
std::uint64_t charged_until = 0;  // ticks: time up to here has been charged to somebody
std::uint64_t all_busy_ticks = 0;
std::uint64_t let_go_at = 0;    // ticks
PriorityQueue urgent, patient;  // calls before those in `queue`, and behind

/// Something in the queue that is no call of one element. Message::to is null.
struct Task : Message {
  virtual ~Task() = default;
  virtual void run() = 0;
};

void charge(Element& element) {
  const std::uint64_t now = ticks();
  const std::uint64_t used = now - charged_until;
  element.busy_ticks += used;
  all_busy_ticks += used;
  charged_until = now;
}

void after_call(Element& element) {
  charge(element);
  if (element.ends || element.wanted_pe >= 0) [[unlikely]]
    grant_wishes(element);
}

void run_broadcast(Element& element, const Message& call) {
  ++element.broadcasts;
  running = {&element, call.entry};
  call.entry->call(call, element);
  after_call(element);
}

struct Broadcast final : Task {
  ArrayBase& array;
  Message& call;
  std::uint32_t number;
  Broadcast(ArrayBase& its_array, Message& message, std::uint32_t its_number)
      : array(its_array), call(message), number(its_number) {}
  ~Broadcast() override { call.entry->drop(call); }

  void run() override {
    array.broadcasting = true;
    array.broadcasts_run = number + 1;
    // Elements that come meanwhile are behind the end, and have caught up by themselves.
    const std::size_t count = array.elements().size();
    for (std::size_t i = 0; i < count; ++i) {
      Element* const element = array.elements()[i];
      // One that is behind has a CatchingUp in the queue; one that is ahead had this where it was.
      if (!element || element->broadcasts != number) continue;
      run_broadcast(*element, call);
    }
    array.broadcasting = false;
    compact(array);
    running = {};
  }
};

/// For an element, whose memory it keeps.
struct ElementTask : Task {
  Element& element;
  explicit ElementTask(Element& who) : element(who) { ++element.queued; }
  ~ElementTask() override {
    if (--element.queued == 0 && element.gone) element.array->bury(element);
  }
};

/// What the element asked for in a method that was called inside that of another.
struct Wishes final : ElementTask {
  using ElementTask::ElementTask;
  void run() override {
    if (!element.gone) grant_wishes(element);
  }
};

/// Runs for an element what it missed while it moved, in order, unless it has moved on.
struct CatchingUp final : ElementTask {
  using ElementTask::ElementTask;
  void run() override {
    ArrayBase& array = *element.array;
    while (!element.gone && element.broadcasts < array.broadcasts_run) {
      const std::size_t back = array.broadcasts_queued - element.broadcasts;
      if (back > array.past.size())
        fail(name_of(element) + " was under way for more than " + std::to_string(array.past.size()) +
             " broadcasts");
      const auto& missed = array.past[array.past.size() - back];
      pup::Blocks none;
      Message& call = *missed.entry->unpack(missed.arguments, none);
      run_broadcast(element, call);
      call.entry->drop(call);
    }
  }
};

struct FunctionCall final : Task {
  const FunctionInfo& function;
  std::vector<std::byte> argument;
  FunctionCall(const FunctionInfo& what, Bytes bytes)
      : function(what), argument(bytes.begin(), bytes.end()) {}
  void run() override { function.call(argument); }
};

struct Begin final : Task {
  void (*begin)();
  explicit Begin(void (*what)()) : begin(what) {}
  void run() override { begin(); }
};

void run_call(Message& call, std::int64_t priority) {
  Element& element = *call.to;
  if (element.gone) [[unlikely]] {
    send_message(*element.array, element.array->index_of(element), call, priority);
    if (--element.queued == 0) element.array->bury(element);
    return;
  }
  running = {&element, call.entry};
  call.entry->run(call);
  --element.queued;
  after_call(element);
}

void drop(Message& message) {
  if (!message.to) {
    delete static_cast<Task*>(&message);
    return;
  }
  Element& element = *message.to;
  message.entry->drop(message);
  if (--element.queued == 0 && element.gone) element.array->bury(element);
}

void run_prioritized(PriorityQueue& calls) {
  const PrioritizedCall next = calls.pop();
  if (dropping) return drop(*next.call);
  run_call(*next.call, next.priority);
}

bool anything_queued() { return queue.first || !urgent.empty() || !patient.empty(); }

/// Precondition: anything_queued().
void run_next() {
  if (!urgent.empty()) [[unlikely]]
    return run_prioritized(urgent);
  if (!queue.first) [[unlikely]]
    return run_prioritized(patient);
  Message& message = *queue.pop();
  if (dropping) [[unlikely]]
    return drop(message);
  if (message.to) [[likely]]
    return run_call(message, 0);
  const std::unique_ptr<Task> task(static_cast<Task*>(&message));
  running = {};
  task->run();
}

/// Runs what is in the queue, for a while.
void run_some() {
  charged_until = ticks();
  for (int i = 0; i < calls_between_polls && anything_queued() && !step_wanted; ++i) run_next();
  running = {};
}

/// One kind at a time: what it sets off may add to the next.
bool let_go_one_kind() { return flush_aggregators() || flush_reductions() || flush_sections(); }

void let_go_in_time() {
  if (static_cast<double>(charged_until - let_go_at) * ns_per_tick() < longest_hold_ns) return;
  let_go_at = charged_until;
  while (let_go_one_kind()) {
  }
}

void loop() {
  while (!over) {
    if (anything_queued()) run_some();
    if (step_wanted) {
      step_wanted = false;
      move::lb_step();
      resume_all();
      continue;
    }
    if (anything_queued()) {
      net::poll();
      let_go_in_time();
      continue;
    }
    if (net::poll_one() || anything_queued()) continue;
    if (let_go_one_kind()) continue;
    note_idle();
    net::idle();
  }
}

void push(Task* task) { queue.push(*task); }

void send_family(Element& leader, int pe) {
  std::vector<std::byte> packed;
  pup::Blocks blocks;
  depart_family(leader, pe, packed, blocks);
  post(pe, Kind::element, {}, packed, std::move(blocks));
}

}  // namespace

/// A wish is that of the whole family, so that it is looked at again when any of it has run: what stands in
/// the way may be the thread or flow of another.
void grant_wishes(Element& element) {
  Element& leader = leader_of(element);
  const bool ends = element.ends;
  const int pe = element.wanted_pe;
  bool any_thread = false, any_activity = false;
  for_each_of_family(leader, [&](Element& each) {
    each.ends |= ends;
    each.wanted_pe = pe;
    any_thread |= has_thread(each);
    any_activity |= has_activity(each);
  });
  if (ends) {
    if (!any_thread) end_family(leader);
  } else if (!any_activity) {
    for_each_of_family(leader, [](Element& each) { each.wanted_pe = -1; });
    if (pe != net::world.pe) send_family(leader, pe);
  }
}

void enqueue_wishes(Element& element) { push(new Wishes(element)); }

void charge_evenly(std::span<Element* const> elements) {
  if (elements.empty()) return;
  const std::uint64_t now = ticks();
  const std::uint64_t part = (now - charged_until) / elements.size();
  for (Element* const element : elements) element->busy_ticks += part;
  all_busy_ticks += part * elements.size();
  charged_until = now;
}

void enqueue_prioritized(Message& message, std::int64_t priority) {
  ++message.to->queued;
  (priority < 0 ? urgent : patient).push(message, priority);
}

void send_message(ArrayBase& array, Bytes index, Message& message, std::int64_t priority) {
  PackedCall packed{message.entry, net::world.pe, {}, priority};
  const std::vector<std::byte> arguments = message.entry->pack(message, packed.blocks);
  packed.arguments = arguments;
  const std::shared_ptr<Message> lender(&message, [](Message* sent) { sent->entry->drop(*sent); });
  if (!packed.blocks.empty()) packed.blocks.keep(lender);
  array.receive(index, std::move(packed));
}

void enqueue_broadcast(ArrayBase& array, const EntryInfo& entry, Bytes arguments) {
  array.past.push_back({&entry, {arguments.begin(), arguments.end()}});
  if (array.past.size() > broadcasts_kept) array.past.pop_front();
  pup::Blocks none;
  push(new Broadcast(array, *entry.unpack(arguments, none), array.broadcasts_queued++));
}

void enqueue_catching_up(Element& element) { push(new CatchingUp(element)); }
void begin_broadcasts_at(Element& element, std::uint32_t number) {
  element.broadcasts = number;
  if (number < element.array->broadcasts_run) enqueue_catching_up(element);
}
void enqueue_function(const FunctionInfo& function, Bytes argument) {
  push(new FunctionCall(function, argument));
}
void enqueue_begin(void (*begin)()) { push(new Begin(begin)); }

void end_loop(int status) {
  over = true;
  exit_status = status;
}
void request_step() { step_wanted = true; }
void drop_calls() { dropping = true; }

double busy_seconds() { return static_cast<double>(all_busy_ticks) * ns_per_tick() * 1e-9; }

int run_pe() {
  // One frame for all entry methods, constructors and serialize() functions, which costs them nothing.
  try {
    loop();
  } catch (const std::exception& error) {
    fail(std::string("an exception ended it: ") + error.what());
  } catch (...) {
    fail("an exception ended it that is no std::exception");
  }
  return exit_status;
}

}  // namespace skein::chare
