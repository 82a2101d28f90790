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
#include "runtime/chare/balance/gathering.hpp"
#include "runtime/chare/balance/lazy_elements.hpp"
#include "runtime/chare/balance/measured_elements.hpp"
#include "runtime/chare/calls/call_functions.hpp"
#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/calls/queue.hpp"
#include "runtime/chare/calls/task.hpp"
#include "runtime/chare/elements/reductions.hpp"
#include "runtime/chare/elements/wishes.hpp"
#include "runtime/chare/memory/spare_memory.hpp"
#include "runtime/chare/native_note.hpp"
#include "runtime/chare/quiescence/quiescence.hpp"
#include "runtime/chare/quiescence/quiescence_state.hpp"
#include "runtime/chare/quiescence/timer.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/chare/sections/sections.hpp"
#include "runtime/chare/seeds/seeds.hpp"
#include "runtime/chare/shared/parallel_loops.hpp"
#include "runtime/net/transport.hpp"
#include "skein/chare/batches.hpp"
#include "skein/chare/delivery.hpp"

namespace skein::chare {
namespace {

/// Marks the program as native: linked into every native program, with the loop.
__attribute__((section(".note.skein"), used, aligned(4))) constexpr NativeNote note{
    sizeof kNativeNoteOwner, 0, kNativeNoteType, {'S', 'k', 'e', 'i', 'n'}};

/// Calls between two polls are bounded by the clock, as for ranks (runtime/rank/scheduler.cpp), so that a
/// message waits no longer than one call takes; and by number, for work that reads no clock, such as putting
/// calls aside.
constexpr double kBetweenPollsNs = 5000;
constexpr int kMostBetweenPolls = 256;
/// Collected messages leave an idle PE at once, and a busy one after this time: others may wait for them,
/// perhaps those that keep the PE busy.
constexpr double kLongestCollectingNs = 1e6;

using Mode = Queued::Mode;

void run_call(Message& call, std::int64_t priority) {
  Element& element = *call.to;
  if (element.gone) [[unlikely]] {
    const Consequences of(ticket_of(call));
    send_message(*element.array, element.array->index_of(element), call, priority, next_hop(element.hops));
    taken_from_queue(element);
    return;
  }
  calls_here.running = {&element, call.entry};
  if (settings.tickets_kept) [[unlikely]]
    begin_execution(element, *call.entry, ticket_of(call), charged->until);
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
  if (queued->mode == Mode::run) [[likely]]
    return false;
  if (queued->mode == Mode::hold_all) return message.to || static_cast<const Task&>(message).may_be_held();
  const ArrayBase* const array = message.to ? message.to->array : static_cast<const Task&>(message).array();
  return array && array->held;
}

void run_task(Message& message) {
  const std::unique_ptr<Task> task(static_cast<Task*>(&message));
  calls_here.running = {};
  if (!settings.tickets_kept) [[likely]] {
    task->run();
  } else {
    const TaskRecord record(task->ticket);
    task->run();
  }
  charged->task_ended = ticks();
}

void run_prioritized(PriorityQueue& calls) {
  const PrioritizedCall next = calls.pop();
  if (queued->mode == Mode::drop) return drop(*next.call);
  if (is_held(*next.call)) return queued->held.keep(next);
  if (next.call->to)
    run_call(*next.call, next.priority);
  else
    run_task(*next.call);
}

/// Runs one call. Precondition: something is queued.
void run_next() {
  if (!queued->urgent.empty()) [[unlikely]]
    return run_prioritized(queued->urgent);
  if (!calls_here.queue.first) [[unlikely]]
    return run_prioritized(queued->patient);
  Message& message = *calls_here.queue.pop();
  if (const Message* const next = calls_here.queue.first) {
    __builtin_prefetch(next->next);
    __builtin_prefetch(next->to);
  }
  if (queued->mode != Mode::run) [[unlikely]] {
    if (queued->mode == Mode::drop) return drop(message);
    if (is_held(message)) return queued->held.keep(message);
  }
  if (message.to) [[likely]]
    return run_call(message, 0);
  run_task(message);
}

/// Runs queued calls, for a while. `at_once`: the first arrived before the clock had to be read anew.
void run_some(bool at_once) {
  static const auto between_polls = static_cast<std::uint64_t>(kBetweenPollsNs / ns_per_tick());
  if (!at_once) charged->until = ticks();
  const std::uint64_t due = charged->until + between_polls;
  for (int i = 0; i < kMostBetweenPolls && charged->until < due && charged->task_ended < due; ++i) {
    if (!queued->any() || quiescence->orders.step_wanted) break;
    run_next();
  }
  calls_here.running = {};
}

/// Sends collected messages of one kind: those that this sets off may add to the next kind.
bool let_go_one_kind() { return flush_aggregators() || flush_reductions() || flush_sections(); }

/// Sends collected calls from a PE that is never idle.
void let_go_in_time(std::uint64_t& let_go_at) {
  if (ns_of(charged->until - let_go_at) < kLongestCollectingNs) return;
  let_go_at = charged->until;
  while (let_go_one_kind()) {
  }
  note_busy();
}

/// Returns false if the job is to continue in other processes.
bool make_step(const std::function<bool()>& at_step) {
  quiescence->orders.step_wanted = false;
  // Nothing runs before the step is over. PEs that have finished it may order new calls to be put aside while
  // this one is in it, so those put aside for this step are given back first.
  release_calls();
  const balance::StepWatch watched;
  balance::lb_step(quiescence->orders.step_at);
  if (quiescence->orders.step_at == balance::StepAt::sync_point) {
    if (!at_step()) return false;
    end_lazy_step();
    const Consequences after_step(because_of(trace::Cause::resumed));
    end_gathering();
  }
  balance::note_stepped();
  note_step_made();
  return true;
}

/// Returns true if a message arrives soon. A PE that has just become idle polls for half a microsecond, where
/// cores are not short, before its other idle work, which would delay a message by as long as it travels. A
/// PE that was idle before answers questions at once. `at_once`: the message came so soon that the clock need
/// not be read.
bool hears_soon(bool& at_once) {
  constexpr int polls_before_giving_up = 32, polls_at_once = 16;
  constexpr double soon_ns = 500;
  if (net::world.shares_cores() || ns_since(charged->until) > soon_ns) return false;
  for (int i = 0; i < polls_before_giving_up; ++i) {
    if (!net::poll_one()) continue;
    at_once = quiescence->orders.short_waits_ignored && i < polls_at_once;
    return true;
  }
  return false;
}

std::optional<int> loop(const std::function<bool()>& at_step) {
  std::uint64_t let_go_at = 0;  // ticks
  bool heard_at_once = false;
  while (!quiescence->orders.over) {
    if (quiescence->orders.timers_set && queued->mode != Mode::drop) [[unlikely]]
      fire_timers();
    const bool at_once = std::exchange(heard_at_once, false);
    if (queued->any()) run_some(at_once);
    if (quiescence->orders.step_wanted) {
      if (!make_step(at_step)) return std::nullopt;
      continue;
    }
    if (queued->any()) {
      balance::keep_progress();
      net::poll();
      balance::keep_witness();
      balance::serve_lazy();
      let_go_in_time(let_go_at);
      continue;
    }
    if (net::poll_one() || queued->any()) continue;
    if (let_go_one_kind() || balance::serve_lazy() || (queued->mode != Mode::hold_all && call_idle_one()) ||
        help_one_loop())
      continue;
    if (hears_soon(heard_at_once)) continue;
    if (queued->mode == Mode::run) seek_seeds();
    balance::keep_witness();
    note_idle(charged->until);
    give_back_memory(charged->until);
    net::idle();
  }
  return quiescence->orders.exit_status;
}

}  // namespace

void ignore_short_waits() { quiescence->orders.short_waits_ignored = true; }

std::optional<int> run_pe(const std::function<bool()>& at_step) {
  // One frame for all entry methods, at no cost to them.
  try {
    return loop(at_step);
  } catch (...) {
    fail_by_exception("");
  }
}

}  // namespace skein::chare
