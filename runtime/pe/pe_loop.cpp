// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/pe_loop.hpp"

#include <sched.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/reserved/standing.hpp"
#include "runtime/balance/reserved/step_watch.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/loop_state.hpp"
#include "runtime/pe/sync.hpp"
#include "runtime/rank/directory.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/trace/recording.hpp"

namespace skein::pe {

PerRuntime<LoopState> loop;

namespace {

constexpr std::uint64_t kLongestIdleNs = 300'000;  // net::idle() takes no longer

/// Delivers what has come and runs the ranks that it made ready. Returns true if anything happened.
bool serve() {
  const bool ran = run_ready();
  const bool decided = go_on_balancing();
  const bool heard = net::poll();
  return heard || ran || decided;
}

/// Ranks of the job at the end of a meeting: those stopped for the step, and others, which can neither be
/// stopped nor go on.
struct MetRanks {
  std::uint64_t stopped, others;
  std::uint64_t for_state;        // of the stopped ones: in stop_for_state()
  std::uint64_t held_for_others;  // not 0: they may not move
};

/// Returns true if a PE has sent messages since it named its counts: PE 0 may call for a step, or have all
/// stop, at any time. Collective.
bool any_spoke_since(const net::Traffic& named) {
  if (!balance::may_stop_in_waits()) return false;
  std::array<std::uint64_t, 1> said{net::traffic().sent - named.sent};
  net::sum_polling(said);
  return said[0] > 0;
}

/// Waits until all PEs are here and nothing is under way between them: no message, no transfer, no fiber that
/// could cause one. Meanwhile serves ranks of PEs that have not come yet: by what arrives here, and by the
/// nonblocking collectives of ranks that are here, which pass on what others wait for.
///
/// The four-counter method (Mattern 1987): if as many messages were delivered at the first of two sums as
/// were sent at the second, none was under way between them. All ready fibers have run before a PE names its
/// counts, and only a message makes another ready, so none could send one after. A fiber that sleeps (in an
/// operation of a nonblocking collective) is under way, too.
MetRanks meet() {
  std::uint64_t received_before = ~std::uint64_t{0};
  for (;;) {
    while (serve()) {
    }
    const net::Traffic now = net::traffic();
    std::array<std::uint64_t, 7> sums{now.sent,
                                      now.received,
                                      now.bulk_active + any_asleep(),
                                      static_cast<std::uint64_t>(loop->at_sync),
                                      static_cast<std::uint64_t>(loop->live - loop->at_sync),
                                      stopped_for_state(),
                                      held_for_others_in_waits()};
    net::sum_polling(sums, serve);
    const auto [sent, received, active, stopped, others, for_state, held_for_others] = sums;
    if (sent == received_before && active == 0 && !any_spoke_since(now))
      return {stopped, others, for_state, held_for_others};
    received_before = received;
  }
}

/// Resumes the ranks that are stopped in state `stopped`.
void resume(FiberState stopped) {
  for (std::size_t rank = 0; rank < location->pe_of_rank.size(); ++rank) {
    if (!is_here(static_cast<int>(rank))) continue;
    Rank& r = rank_in_slot(static_cast<int>(rank));
    if (r.done || r.main.state != stopped) continue;
    make_ready(r.main);
    --loop->at_sync;
  }
}

/// Resumes all stopped ranks, behind a step or without one.
void resume_stopped() {
  loop->stands_since = 0;
  resume(FiberState::at_sync);
  resume(FiberState::in_wait);
}

/// Goes on without a step: a rank that is in a collective, say, waits for one that has stopped in a wait; or
/// a stopped rank has yet to come for what another has brought to a collective. Only the ranks in waits go
/// on.
void go_on_without_step(const MetRanks& met) {
  if (met.others == 0) hold_less_for_others();
  balance::note_call_off(met.others > 0);
  call_stop_off();
  ++loop->ended_meetings;
}

/// Returns true if the decision that ranks of a lazy job stopped for was dropped.
bool stopped_in_vain() {
  return loop->at_sync > 0 && balance::is_lazy() && balance::pace->member.agreed_about() == 0;
}

/// Returns true if the PE is to meet the others now. Precondition: all ranks here are stopped or have ended.
bool is_to_meet() {
  if (loop->stands_since == 0) loop->stands_since = ticks();
  switch (balance::stand(static_cast<std::uint64_t>(loop->at_sync))) {
    case balance::Standing::meets:
      return true;
    case balance::Standing::waits:
      wait_idly();
      return false;
    case balance::Standing::goes_on:
      balance::leave_step_out();
      resume_stopped();
      return false;
    case balance::Standing::ends:
      (void)finish_standard_output();
      fflush(nullptr);
      return false;
  }
  return true;
}

}  // namespace

void call_stop_off() {
  end_stop_in_waits();
  resume(FiberState::in_wait);
}

void add_rank(int rank) {
  ++loop->live;
  make_ready(rank_in_slot(rank).main);
}

void note_rank_at_sync() { ++loop->at_sync; }
void note_rank_ended(const Rank& rank) {
  --loop->live;
  if (balance::is_lazy()) balance::note_end(rank.asked, live_ranks());
}
std::size_t live_ranks() { return static_cast<std::size_t>(loop->live); }
bool may_meet() { return (loop->at_sync == loop->live || stops_in_waits()) && !any_ready() && !any_asleep(); }
std::uint64_t meetings_ended() { return loop->ended_meetings; }
void set_live_ranks(int count) { loop->live = loop->at_sync = count; }
double last_meeting_seconds() { return seconds_of(loop->meeting_ticks); }
void wait_idly() {
  if (trace::recording) trace::write_old(ticks());
  if (wakes_within(kLongestIdleNs))
    sched_yield();
  else
    net::idle();
}

bool go_on_balancing() {
  balance::keep_progress();
  balance::keep_agreement();
  balance::keep_witness();
  return balance::serve_lazy();
}

void go_on_behind_step(int live) {
  set_live_ranks(live);
  resume_stopped();
}

void run_pe(const std::function<bool(bool)>& behind_step) {
  if (balance::is_lazy()) balance::note_running(live_ranks());
  for (;;) {
    if (serve() || any_ready()) continue;
    if (stopped_in_vain()) {
      resume_stopped();
      continue;
    }
    if (loop->at_sync < loop->live && !stops_in_waits()) {
      wait_idly();
      continue;
    }
    if (!is_to_meet()) continue;
    const balance::StepWatch watched;
    const MetRanks met = meet();
    loop->meeting_ticks = ticks() - std::exchange(loop->stands_since, 0);
    if (met.others > 0 || met.held_for_others != 0) {
      go_on_without_step(met);
      continue;
    }
    use_process_directory();  // for files named on the command line
    if (met.stopped == 0) return;
    const bool for_state = met.for_state == met.stopped;
    end_stops_for_state(for_state);
    if (!for_state) balance::lb_step();
    balance::note_stepped();
    if (!behind_step(for_state)) return;
    if (balance::is_lazy()) balance::note_running(live_ranks());
    end_stop_in_waits();
    resume_stopped();
    ++loop->ended_meetings;
  }
}

PerRuntime<Location> location;

}  // namespace skein::pe
