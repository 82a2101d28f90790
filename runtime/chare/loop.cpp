// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/loop.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/reserved/step_watch.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/arrays.hpp"
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/calls/call_functions.hpp"
#include "runtime/chare/calls/held_calls.hpp"
#include "runtime/chare/calls/priorities.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/reductions.hpp"
#include "runtime/chare/elements/wishes.hpp"
#include "runtime/chare/memory/spare_memory.hpp"
#include "runtime/chare/native_note.hpp"
#include "runtime/chare/quiescence/quiescence.hpp"
#include "runtime/chare/quiescence/timers.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/chare/sections/sections.hpp"
#include "runtime/chare/seeds/seeds.hpp"
#include "runtime/chare/shared/parallel_loops.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/batches.hpp"

namespace skein::chare {

FreeBlock* free_blocks[block_sizes] = {};
std::size_t blocks_made[block_sizes] = {};
Queue queue;
Running running;
balance::StepAt step_at{};

namespace {

/// Linked into every native program, with the loop.
__attribute__((section(".note.skein"), used, aligned(4))) constexpr NativeNote note{
    sizeof native_note_owner, 0, native_note_type, {'S', 'k', 'e', 'i', 'n'}};

/// As for ranks (runtime/rank/scheduler.cpp): by the clock, so that what has come waits no longer than one
/// call takes. The number is for what reads no clock, as calls that are put aside.
constexpr double between_polls_ns = 5000;
constexpr int most_between_polls = 256;
/// What is collected to go together leaves an idle PE at once, and one that is never idle after this time:
/// somebody may wait for it, perhaps those that keep the PE busy.
constexpr double longest_collecting_ns = 1e6;

bool over = false;
bool step_wanted = false;
enum class Mode { run, hold, hold_all, drop };
Mode mode = Mode::run;  // what is done with calls
int exit_status = 0;
std::uint64_t charged_until = 0;  // ticks: time up to here has been charged to somebody
std::uint64_t task_ended = 0;     // ticks: when one did last
std::uint64_t all_busy_ticks = 0;
std::uint64_t let_go_at = 0;  // ticks
bool short_waits_ignored = false;
bool heard_at_once = false;     // what ended such a wait
PriorityQueue urgent, patient;  // calls before those in `queue`, and behind
HeldCalls held;
const BegunAnew<queue, running, over, step_wanted, mode, exit_status, charged_until, task_ended,
                all_busy_ticks, let_go_at, short_waits_ignored, heard_at_once, urgent, patient, held>
    with_runtime;

void charge(Element& element) {
  const std::uint64_t now = ticks();
  const std::uint64_t used = now - charged_until;
  element.busy_ticks += used;
  all_busy_ticks += used;
  charged_until = now;
}

struct FunctionCall final : Task {
  const FunctionInfo& function;
  std::vector<std::byte> argument;
  const ArrayBase* called;
  FunctionCall(const FunctionInfo& what, Bytes bytes, const ArrayBase* array)
      : function(what), argument(bytes.begin(), bytes.end()), called(array) {}
  ~FunctionCall() override { note_freed(argument.size()); }
  void run() override { function.call(argument); }
  const ArrayBase* array() const override { return called; }
};

struct Begin final : Task {
  void (*begin)();
  explicit Begin(void (*what)()) : begin(what) {}
  void run() override { begin(); }
};

void run_call(Message& call, std::int64_t priority) {
  Element& element = *call.to;
  if (element.gone) [[unlikely]] {
    const Consequences of(ticket_of(call));
    send_message(*element.array, element.array->index_of(element), call, priority, next_hop(element.hops));
    taken_from_queue(element);
    return;
  }
  running = {&element, call.entry};
  if (tickets_kept) [[unlikely]]
    begin_execution(element, *call.entry, ticket_of(call), charged_until);
  run_message(call);
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
  taken_from_queue(element);
}

bool is_held(const Message& message) {
  if (mode == Mode::run) [[likely]]
    return false;
  if (mode == Mode::hold_all) return message.to || static_cast<const Task&>(message).may_be_held();
  const ArrayBase* const array = message.to ? message.to->array : static_cast<const Task&>(message).array();
  return array && array->held;
}

void run_task(Message& message) {
  const std::unique_ptr<Task> task(static_cast<Task*>(&message));
  running = {};
  if (!tickets_kept) [[likely]] {
    task->run();
  } else {
    const TaskRecord record(task->ticket);
    task->run();
  }
  task_ended = ticks();
}

void run_prioritized(PriorityQueue& calls) {
  const PrioritizedCall next = calls.pop();
  if (mode == Mode::drop) return drop(*next.call);
  if (is_held(*next.call)) return held.keep(next);
  if (next.call->to)
    run_call(*next.call, next.priority);
  else
    run_task(*next.call);
}

bool anything_queued() { return queue.first || !urgent.empty() || !patient.empty(); }

/// Precondition: anything_queued().
void run_next() {
  if (!urgent.empty()) [[unlikely]]
    return run_prioritized(urgent);
  if (!queue.first) [[unlikely]]
    return run_prioritized(patient);
  Message& message = *queue.pop();
  if (const Message* const next = queue.first) {
    __builtin_prefetch(next->next);
    __builtin_prefetch(next->to);
  }
  if (mode != Mode::run) [[unlikely]] {
    if (mode == Mode::drop) return drop(message);
    if (is_held(message)) return held.keep(message);
  }
  if (message.to) [[likely]]
    return run_call(message, 0);
  run_task(message);
}

/// Runs what is in the queue, for a while. `at_once`: it came before the clock had gone on.
void run_some(bool at_once) {
  static const auto between_polls = static_cast<std::uint64_t>(between_polls_ns / ns_per_tick());
  if (!at_once) charged_until = ticks();
  const std::uint64_t due = charged_until + between_polls;
  for (int i = 0; i < most_between_polls && charged_until < due && task_ended < due; ++i) {
    if (!anything_queued() || step_wanted) break;
    run_next();
  }
  running = {};
}

/// One kind at a time: what it sets off may add to the next.
bool let_go_one_kind() { return flush_aggregators() || flush_reductions() || flush_sections(); }

/// Sends collected calls from a PE that is never idle.
void let_go_in_time() {
  if (ns_of(charged_until - let_go_at) < longest_collecting_ns) return;
  let_go_at = charged_until;
  while (let_go_one_kind()) {
  }
  note_busy();
}

void make_step() {
  step_wanted = false;
  // Nothing runs before the step is over. PEs that are through may ask for calls to be put aside anew while
  // this one is in it, so what was put aside for this step is given back before.
  release_calls();
  const balance::StepWatch watched;
  balance::lb_step(step_at);
  if (step_at == balance::StepAt::sync_point) {
    end_lazy_step();
    const Consequences after_step(because_of(trace::Cause::resumed));
    end_gathering();
  }
  balance::note_stepped();
  note_step_made();
}

/// A PE that has just come to have nothing to do looks for messages alone for half a microsecond, where cores
/// are not short, before what else an idle one sees to: for one that comes meanwhile that would take as long
/// as its way does. One that was idle before answers who asks.
bool hears_soon() {
  constexpr int polls_before_giving_up = 32, polls_at_once = 16;
  constexpr double soon_ns = 500;
  if (net::world.shares_cores || ns_since(charged_until) > soon_ns) return false;
  for (int i = 0; i < polls_before_giving_up; ++i) {
    if (!net::poll_one()) continue;
    heard_at_once = short_waits_ignored && i < polls_at_once;
    return true;
  }
  return false;
}

void loop() {
  while (!over) {
    if (timers_set && mode != Mode::drop) [[unlikely]]
      fire_timers();
    const bool at_once = std::exchange(heard_at_once, false);
    if (anything_queued()) run_some(at_once);
    if (step_wanted) {
      make_step();
      continue;
    }
    if (anything_queued()) {
      balance::keep_progress();
      net::poll();
      balance::keep_witness();
      balance::serve_lazy();
      let_go_in_time();
      continue;
    }
    if (net::poll_one() || anything_queued()) continue;
    if (let_go_one_kind() || balance::serve_lazy() || (mode != Mode::hold_all && call_idle_one()) ||
        help_one_loop())
      continue;
    if (hears_soon()) continue;
    if (mode == Mode::run) seek_seeds();
    balance::keep_witness();
    note_idle(charged_until);
    give_back_memory(charged_until);
    net::idle();
  }
}

}  // namespace

void after_call(Element& element) {
  charge(element);
  if (tickets_kept) [[unlikely]]
    finish_execution(element, charged_until);
  if (element.ends || element.wanted_pe >= 0) [[unlikely]]
    grant_wishes(element);
}

void count_as_busy(std::uint64_t ticks) { all_busy_ticks += ticks; }

void charge_nobody(std::uint64_t ticks) { charged_until += ticks; }

void charge_batched(std::span<Element* const> elements) {
  if (elements.empty()) return;
  std::uint64_t calls = 0;
  for (const Element* const element : elements) calls += element->batched;
  const std::uint64_t now = ticks();
  const std::uint64_t part = (now - charged_until) / calls;
  if (tickets_kept) [[unlikely]]
    record_batch(elements, part, now);
  for (Element* const element : elements) element->busy_ticks += part * std::exchange(element->batched, 0);
  all_busy_ticks += part * calls;
  charged_until = now;
}

void enqueue_prioritized(Message& message, std::int64_t priority) {
  if (tickets_kept) [[unlikely]]
    give_ticket(message);
  if (message.to) ++message.to->queued;
  (priority < 0 ? urgent : patient).push(message, priority);
}

namespace {
/// What its arguments are packed into is in the room. The message is used up.
PackedCall pack_message(Message& message, std::int64_t priority, std::uint16_t hops, pup::Room& room) {
  PackedCall packed{message.entry, net::world.pe, {}, priority, {}, hops};
  message.entry->pack(message, packed.blocks, room);
  packed.arguments = room.bytes();
  if (packed.blocks.empty())
    message.entry->drop(message);
  else
    packed.blocks.keep(
        std::shared_ptr<Message>(&message, [](Message* lender) { lender->entry->drop(*lender); }));
  return packed;
}
}  // namespace

std::size_t send_message(ArrayBase& array, Bytes index, Message& message, std::int64_t priority,
                         std::uint16_t hops) {
  pup::Room room;
  PackedCall packed = pack_message(message, priority, hops, room);
  const std::size_t bytes = packed.arguments.size() + packed.blocks.bytes();
  array.receive(index, std::move(packed));
  return bytes;
}

std::size_t send_packed_to(int pe, std::uint32_t array, Bytes index, Message& message,
                           std::int64_t priority) {
  pup::Room room;
  PackedCall packed = pack_message(message, priority, 0, room);
  const std::size_t bytes = packed.arguments.size() + packed.blocks.bytes();
  send_call(pe, array, index, std::move(packed));
  return bytes;
}

void send_before_array(std::uint32_t array, Bytes index, Message& message, std::int64_t priority) {
  pup::Room room;
  send_call(net::world.pe, array, index, pack_message(message, priority, 0, room));
}

void enqueue_function(const FunctionInfo& function, Bytes argument, const ArrayBase* called,
                      std::int64_t priority) {
  enqueue(std::make_unique<FunctionCall>(function, argument, called), priority);
}
void enqueue_begin(void (*begin)()) { enqueue(std::make_unique<Begin>(begin)); }

void end_loop(int status) {
  over = true;
  exit_status = status;
}
void request_step(balance::StepAt at) {
  step_wanted = true;
  step_at = at;
}
void drop_calls() {
  release_calls();
  mode = Mode::drop;
}

void hold_calls() {
  if (mode == Mode::run) mode = Mode::hold;
}
void hold_all_calls() {
  if (mode != Mode::drop) mode = Mode::hold_all;
}
void release_calls() {
  if (mode != Mode::hold && mode != Mode::hold_all) return;
  mode = Mode::run;
  held.release(queue, urgent, patient);
  for (const std::unique_ptr<ArrayBase>& array : all_arrays())
    if (array) array->held = false;
}

void ignore_short_waits() { short_waits_ignored = true; }

double busy_seconds() { return seconds_of(all_busy_ticks); }

int run_pe() {
  // One frame for all entry methods, which costs them nothing.
  try {
    loop();
  } catch (...) {
    fail_by_exception("");
  }
  return exit_status;
}

}  // namespace skein::chare
