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
constexpr std::size_t broadcasts_kept = 256;

bool over = false;
bool step_wanted = false;
bool dropping = false;
int exit_status = 0;
std::uint64_t charged_until = 0;  // ticks: time up to here has been charged to somebody
std::uint64_t all_busy_ticks = 0;
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

/// Runs for an element what it missed while it moved, in order, unless it has moved on.
struct CatchingUp final : Task {
  Element& element;
  explicit CatchingUp(Element& who) : element(who) { ++element.queued; }
  ~CatchingUp() override {
    if (--element.queued == 0 && element.gone) element.array->bury(element);
  }

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
      continue;
    }
    if (net::poll_one() || anything_queued()) continue;
    if (flush_aggregators() || flush_reductions() || flush_sections()) continue;
    note_idle();
    net::idle();
  }
}

void push(Task* task) { queue.push(*task); }

}  // namespace

void grant_wishes(Element& element) {
  if (element.ends) {
    if (!has_thread(element)) end_family(element);
  } else if (element.wanted_pe >= 0 && !has_activity(element)) {
    const int pe = std::exchange(element.wanted_pe, -1);
    if (pe == net::world.pe) return;
    std::vector<std::byte> packed;
    pup::Blocks blocks;
    depart_family(leader_of(element), pe, packed, blocks);
    post(pe, Kind::element, {}, packed, std::move(blocks));
  }
}

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
