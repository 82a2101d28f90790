// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lazy/decider.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/balance/dump.hpp"
#include "runtime/balance/lazy/decision_thread.hpp"
#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/lazy/lazy_state.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/planned_scheme.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/fault_signals.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/program_mpi.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::balance {
namespace {

using lb::lazy::Point;

net::Handler on_passed_on, on_message_to_decider;
/// A message from other deciders to the coordinator; the reverse way has another kind.
const net::MessageKind passed_message("lazy-passed-on", on_passed_on);
const net::MessageKind message_to_decider("lazy-to-decider", on_message_to_decider);

bool leads() { return net::world.pe == deciding_pe(); }
bool needs(Point point) {
  if (lazy->decider.crashed) return false;
  return leads() ? lazy->decider.coordinator.needs(point) : point > lazy->decider.floor;
}

void tell_members(ToMember::Kind kind, Point point) {
  const ToMember message{.kind = kind, .point = point, .drop = lazy->decider.coordinator.drop()};
  for (int pe = 0; pe < computing_pes(); ++pe) send_to_member(pe, message);
}

net::PeBlocks blocks_of(Shares& shares) {
  net::PeBlocks blocks;
  shares.resize(static_cast<std::size_t>(net::world.pes));  // none came where a decider has no members
  for (const auto& share : shares) {
    blocks.sizes.push_back(share.size());
    blocks.bytes.insert(blocks.bytes.end(), share.begin(), share.end());
  }
  return blocks;
}

void begin_to_decide(Point about) {
  const net::PeBlocks shares = blocks_of(lazy->decider.shares[about]);
  lazy->decider.shares.erase(lazy->decider.shares.begin(), lazy->decider.shares.upper_bound(about));
  lazy->decider.floor = about;
  const double now = seconds();
  lazy->decider.began = now;
  lazy->decider.told_silence = false;
  IntervalShare sums = objects().when_lazy()->interval_of(shares);
  sums.set_time(now - lazy->decider.job_start, now - std::exchange(lazy->decider.last_asked, now));
  const Interval interval(lazy->decider.decisions++, about - std::exchange(lazy->decider.last_point, about),
                          sums.numbers());
  DecisionThread& decision = lazy->decider.decision;
  if (has_team())
    return decision.start_together(objects().part_of(shares), decision->planner->seed_of(interval));
  decision->interval = interval;
  decision->then = decision->planner->take(objects().snapshot_of(shares), interval);
  write_dump(interval.index, decision->then, objects().busy_in_interval());
  decision.start();
}

/// Learns, with --lb auto, from the last decision and the time that moving took.
void learn(double moving_s) {
  DecisionWork& work = *lazy->decider.decision;
  if (work.planner->learns())
    work.planner->learn(work.plan, *work.interval, {.thinking_s = work.took_s, .moving_s = moving_s});
  work.planner->forget();
}

void end_decision() {
  const DecisionWork& work = *lazy->decider.decision;
  const Point about = lazy->decider.coordinator.about();
  if (!work.failure.empty()) {
    log_line("LB decision about sync point %llu: %s", static_cast<unsigned long long>(about),
             work.failure.c_str());
    net::take_down(1);
  }
  SKEIN_LOG(verbose, "LB decision about sync point %llu: %s, %s, in %.3f ms",
            static_cast<unsigned long long>(about), work.plan.strategy.c_str(),
            work.plan.moves ? "objects are to move" : "all stay", work.took_s * 1e3);
  lazy->decider.ends_lazy =
      lazy->decider.trial.was_faster_before(about, lazy->decider.began - lazy->decider.job_start);
  if (work.plan.moves || lazy->decider.ends_lazy) {
    lazy->decider.coordinator.decides();
    tell_members(ToMember::Kind::decided, about);
  } else {
    lazy->decider.coordinator.nothing_to_do();
    learn(0);
    tell_members(ToMember::Kind::answered, about);
  }
}

/// Gives up the strategy. Its thread stands still and keeps its locks: those of the MPI underneath, if it
/// calls that.
void go_on_without_strategy() {
  const bool goes_on = !lazy->decider.ends_if_silent && !net::threads_call_mpi();
  const std::optional<lb::Selection>& chosen = lazy->decider.decision->planner->config().strategy;
  const std::string strategy(chosen ? chosen->info->name : "auto");
  log_line(
      "the LB strategy %s ended by a fault (%s), deciding about sync point %llu: %s; under --lb-mode inline "
      "its backtrace is shown",
      strategy.c_str(), describe_fault(lazy->decider.decision.fault()),
      static_cast<unsigned long long>(lazy->decider.last_point),
      goes_on ? "the job goes on as it is, and nothing more is decided (--lb-mode lazy:silent=)"
              : "the job ends");
  if (!goes_on) net::take_down(1);
  lazy->decider.crashed = true;
  lazy->decider.shares.clear();
  tell_members(ToMember::Kind::silent, 0);
}

void look_at_the_clock() {
  if (lazy->decider.told_silence || seconds() - lazy->decider.began < lazy->decider.patience_s) return;
  lazy->decider.told_silence = true;
  const auto about = static_cast<unsigned long long>(lazy->decider.coordinator.about());
  log_line(
      "the LB strategy has been deciding about sync point %llu for %.3g s: %s (--lb-mode lazy:patience=, "
      "silent=)",
      about, seconds() - lazy->decider.began,
      lazy->decider.ends_if_silent ? "the job ends" : "the job goes on as it is, and nobody waits for it");
  if (lazy->decider.ends_if_silent) net::take_down(1);
  tell_members(ToMember::Kind::silent, 0);
}

/// Returns true if the strategy is waited for no longer.
bool leaves_at_end() {
  if (lazy->decider.told_silence || seconds() - lazy->decider.began < lazy->decider.patience_s)
    return lazy->decider.told_silence;
  lazy->decider.told_silence = true;
  log_line("the job is done, and waits for the LB strategy, which has been deciding for %.3g s: it %s%s",
           seconds() - lazy->decider.began,
           net::threads_call_mpi() ? "calls MPI, and cannot be left"
                                   : "is waited for no longer (--lb-mode lazy:patience=)",
           lazy->decider.ends_if_silent ? "; so the job ends (silent=end)" : "");
  if (lazy->decider.ends_if_silent) net::take_down(1);
  return true;
}

LateFacts late_facts(bool dropped, const lb::LateDrift& drift) {
  return {.asked_at = lazy->decider.coordinator.about(),
          .applied_at = lazy->decider.coordinator.agreed_stop(),
          .decide_s = lazy->decider.decision->took_s,
          .dropped = dropped,
          .ends_lazy = lazy->decider.ends_lazy,
          .drift = drift};
}

void tell_dropped(const Plan& plan) {
  if (!plan.late->dropped) return;
  SKEIN_LOG(normal,
            "LB: the decision of %s about sync point %llu is dropped at sync point %llu: with it the "
            "imbalance would be %.1f %%, without it %.1f %%",
            plan.step.strategy.c_str(), static_cast<unsigned long long>(plan.late->asked_at),
            static_cast<unsigned long long>(plan.late->applied_at), plan.late->drift.imbalance_percent,
            plan.step.before.imbalance_percent());
}

void hear_decider(const ToCoordinator& message) {
  lb::lazy::Coordinator& coordinator = lazy->decider.coordinator;
  switch (message.kind) {
    case ToCoordinator::Kind::share:
      coordinator.share(message.member, message.point);
      // A strategy may take many sync points, whose shares would pile up.
      lazy->decider.shares.erase(lazy->decider.shares.begin(),
                                 lazy->decider.shares.lower_bound(coordinator.newest_whole()));
      return;
    case ToCoordinator::Kind::dry:
      return coordinator.dry(message.member, message.point);
    case ToCoordinator::Kind::promise:
      if (const auto stop = coordinator.promised(message.about, message.point)) {
        tell_members(ToMember::Kind::agreed, *stop);
        std::erase_if(lazy->decider.shares, [&](const auto& each) { return !coordinator.needs(each.first); });
      }
      return;
  }
}

void on_passed_on(int, const std::byte* bytes, std::size_t) {
  ToCoordinator message;
  memcpy(&message, bytes, sizeof message);
  hear_decider(message);
}

void on_message_to_decider(int, const std::byte* bytes, std::size_t) {
  ToDecider message;
  memcpy(&message, bytes, sizeof message);
  lazy->decider.wanted = message.about;
}

}  // namespace

bool decides_here() { return leads() || own_team(); }

void start_deciding(const StepConfig& config, Point from, lb::LazyTrial trial) {
  lazy->decider.patience_s = config.mode.patience_s;
  lazy->decider.ends_if_silent = config.mode.ends_if_silent;
  if (config.mode.thread) lazy->decider.decision.give_way();
  lazy->decider.coordinator = lb::lazy::Coordinator(static_cast<std::size_t>(computing_pes()), from);
  lazy->decider.last_point = from;
  lazy->decider.trial = trial;
  lazy->decider.decision->planner.emplace(make_planner(config));
  lazy->decider.job_start = lazy->decider.last_asked = seconds();
}

void hear_member(int member, const ToCoordinator& message, std::span<const std::byte> piece) {
  if (message.kind == ToCoordinator::Kind::share) {
    if (!needs(message.point)) return;
    Shares& shares = lazy->decider.shares[message.point];
    shares.resize(static_cast<std::size_t>(net::world.pes));
    std::vector<std::byte>& share = shares[static_cast<std::size_t>(member)];
    share.insert(share.end(), piece.begin(), piece.end());
    if (share.size() < message.bytes) return;
  }
  ToCoordinator passed = message;
  passed.member = static_cast<std::uint32_t>(member);
  if (leads())
    hear_decider(passed);
  else
    net::send(deciding_pe(), passed_message, {&passed, sizeof passed});
}

bool go_on_deciding() {
  if (lazy->decider.stopped || lazy->decider.crashed) return false;
  if (lazy->decider.decision.works()) {
    if (lazy->decider.decision.fault() != 0) {
      go_on_without_strategy();
      return true;
    }
    if (lazy->decider.decision.take_done()) {
      if (leads()) end_decision();
      return true;
    }
    if (leads()) look_at_the_clock();
    return false;
  }
  if (leads()) lazy->decider.wanted = lazy->decider.coordinator.take();
  if (!lazy->decider.wanted) return false;
  const ToDecider message{.about = *lazy->decider.wanted};
  for (int pe = deciding_pe() + 1; leads() && has_team() && pe < net::world.pes; ++pe)
    net::send(pe, message_to_decider, {&message, sizeof message});
  lazy->decider.wanted.reset();
  begin_to_decide(message.about);
  return true;
}

bool strategy_works() {
  return !lazy->decider.stopped && !lazy->decider.crashed &&
         (lazy->decider.decision.works() || lazy->decider.wanted);
}

void plan_late(const net::PeBlocks& shares, Plan& plan) {
  DecisionWork& work = *lazy->decider.decision;
  lb::Snapshot now = objects().snapshot_of(shares);
  if (work.planner->config().memory_bytes > 0)
    now.pes.memory_bytes.assign(now.pe_count(), work.planner->config().memory_bytes);
  lb::LateDecision late = lb::apply_late(work.then, work.plan.decision, now);
  const double perfect = lb::perfect_finish(now);
  plan.step = {.strategy = work.plan.strategy,
               .before = {lb::finish_times(now, now.objects.pe), perfect},
               .after = {lb::finish_times(now, late.decision), perfect},
               .moves = late.decision.pe_of != now.objects.pe || !late.decision.splits.empty()};
  plan.pinned = objects().pinned();
  plan.late = late_facts(late.dropped, late.drift);
  plan.step.loads = std::move(work.plan.loads);
  if (now.pes.memory_bytes.size() > 0) plan.step.held_bytes = lb::held_bytes(now, late.decision.pe_of);
  plan.step.decision = std::move(late.decision);
  tell_dropped(plan);
}

void plan_late_together(TeamShares& shares, Plan& plan) {
  while (lazy->decider.decision.works() && !lazy->decider.decision.take_done())
    sched_yield();  // its result is complete, and it only ends
  lb::Team& team = *own_team();
  const lb::SnapshotPart now =
      make_own_part(objects().part_of(shares.blocks), lazy->decider.decision->planner->config());
  lb::LatePlan late =
      lb::apply_late_in_team(lazy->decider.decision->then_here, lazy->decider.decision->plan, now, team);
  plan.late = late_facts(late.dropped, late.drift);
  shares.take(std::move(late.plan), now, plan);
  if (leads()) tell_dropped(plan);
}

void learn_late(double moving_s) {
  std::vector<double> most{moving_s};
  net::max_of_all(most);
  if (net::world.pe == deciding_pe()) learn(most[0]);
}

void note_decision_applied() {
  lazy->decider.decision->then = {};
  lazy->decider.decision->then_here = {};
  if (leads()) lazy->decider.coordinator.applied();
}

void drop_decision(std::uint64_t drop) {
  if (!leads() || !lazy->decider.coordinator.dropped(drop)) return;
  SKEIN_LOG(verbose, "LB: the decision about sync point %llu is dropped, since this PE had not answered",
            static_cast<unsigned long long>(lazy->decider.coordinator.about()));
  lazy->decider.decision->planner->forget();
}

void stop_deciding() { lazy->decider.stopped = true; }

/// Begins a wanted decision, too, if several decide together: some may have begun it, and wait for the
/// others.
void finish_deciding(AfterJob after) {
  const bool can_be_left = !net::threads_call_mpi();
  if (can_be_left) {
    lazy->decider.wanted.reset();
    if (after == AfterJob::process_ends) return;
  }
  for (; lazy->decider.decision.works() || lazy->decider.wanted; sched_yield()) {
    if (lazy->decider.crashed) return;
    if (lazy->decider.decision.works() && lazy->decider.decision.fault() != 0)
      return go_on_without_strategy();
    if (leads() && leaves_at_end() && can_be_left) return;
    if (lazy->decider.decision.works())
      (void)lazy->decider.decision.take_done();
    else
      begin_to_decide(*std::exchange(lazy->decider.wanted, std::nullopt));
  }
}

}  // namespace skein::balance
