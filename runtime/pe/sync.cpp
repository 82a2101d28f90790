// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/sync.hpp"

#include <utility>
#include <vector>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/base/error.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/loop_state.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::pe {

namespace {

/// Returns the hint where every collective on all ranks is a sync point, and none was made.
std::string hint_without_collectives(int largest_part, int ranks, std::uint64_t left_out) {
  if (left_out > 0)
    return format(
        "it refers to MPI_Migrate() but did not call it, and made too few blocking collectives on all %d "
        "ranks (in such a program the first %llu do not count): use --sync-at auto",
        ranks, static_cast<unsigned long long>(left_out));
  const std::string none = format("no blocking collective was made on all %d ranks (--sync-at auto)", ranks);
  if (largest_part <= 1) return none + ": call MPI_Migrate() in its time loop";
  return none +
         format(
             ", but on %d of them at most: call MPI_Migrate() in its time loop, or name a call that all "
             "ranks make as often (--sync-at CALL:ranks=N)",
             largest_part);
}

}  // namespace

std::string sync_hint(const SyncCalls& calls, int ranks) {
  if (calls.any) return hint_without_collectives(calls.largest_part, ranks, calls.left_out);
  if (calls.call.empty()) return "call MPI_Migrate() in its time loop, or use --sync-at auto";
  const char* const call = calls.call.c_str();
  const auto counted = calls.by_size.lower_bound(calls.least_ranks);
  if (counted != calls.by_size.end()) {
    std::uint64_t times = 0;
    for (auto each = counted; each != calls.by_size.end(); ++each) times += each->second;
    return format(
        "the ranks of PE 0 called %s %llu times in all, and every %llu calls of a rank are a sync "
        "point (--sync-at)",
        call, static_cast<unsigned long long>(times), static_cast<unsigned long long>(calls.every));
  }
  if (calls.by_size.empty()) return format("the ranks of PE 0 did not call %s (--sync-at)", call);
  std::string seen;
  for (const auto& [size, times] : calls.by_size)
    seen += format("%s%llu times on communicators of %d", seen.empty() ? "" : ", ",
                   static_cast<unsigned long long>(times), size);
  return format(
      "the ranks of PE 0 called %s %s of the %d ranks: if all ranks make as many such calls, --sync-at "
      "%s:ranks=%d counts them",
      call, seen.c_str(), ranks, call, calls.by_size.rbegin()->first);
}

namespace {

void hold(const Rank& rank) {
  loop->stops.held.push_back(rank.id);
  block({"at a sync point, for the decision about an earlier one", {}});
}

void leave_share_of(Rank& rank, lb::lazy::Point n) {
  loop->stops.append_to_share(rank, balance::open_share(n, live_ranks()));
  rank.asked = n;
  balance::leave_share(n);
}

}  // namespace

void measure_shares_by(void (*append)(Rank& rank, std::vector<std::byte>& share)) {
  loop->stops.append_to_share = append;
}

bool comes_to_stop(Rank& rank, std::uint64_t& passed) {
  using At = lb::lazy::Member::At;
  const lb::lazy::Point n = passed + 1;
  (void)poll_in_passing();
  for (;;) {
    lb::lazy::Member& member = balance::pace->member;
    const At what = member.may_pass(n) ? At::pass : member.at(n, rank.asked == n);
    if (what == At::stop) return true;
    if (what == At::pass) {
      member.passes(n);
      passed = n;
      // A rank that waits for nobody would be at its end before the next one leaves its share.
      if (rank.asked == n) yield();
      return false;
    }
    if (what == At::ask)
      leave_share_of(rank, n);
    else
      hold(rank);
  }
}

void stop_at_point() {
  note_rank_at_sync();
  block({"at a sync point, for the other ranks", {}}, FiberState::at_sync);
}

namespace {

/// Added to the count that a stopped rank waits for, so that nothing that comes meanwhile resumes it.
constexpr int kStopWeight = 1 << 30;

bool may_stop_in_wait(const Rank& rank) {
  return loop->stops.by && current_fiber() == &rank.main && loop->stops.by->may_stop(rank);
}

/// Stops the rank until the step is made or called off.
void stop_in_wait(Rank& rank) {
  const fiber::RuntimeScope runtime;
  loop->stops.by->leaves(rank);
  const int pe_before = own_pe;
  note_rank_at_sync();
  block({"in a wait, stopped for an LB step", {}}, FiberState::in_wait);
  loop->stops.by->comes(rank, pe_before);
}

}  // namespace

void let_stop_in_waits(const StopsInWaits& by) { loop->stops.by = &by; }
bool stops_in_waits() { return loop->stops.in_waits; }
std::uint64_t held_for_others_in_waits() { return stops_in_waits() ? loop->stops.by->held_for_others() : 0; }
void hold_less_for_others() { loop->stops.by->hold_less(); }
void end_stop_in_waits() { loop->stops.in_waits = false; }

void stop_in_waits() {
  loop->stops.in_waits = true;
  for (std::size_t id = 0; id < location->pe_of_rank.size(); ++id) {
    if (!is_here(static_cast<int>(id))) continue;
    Rank& rank = rank_in_slot(static_cast<int>(id));
    if (rank.done || rank.main.state != FiberState::blocked || !rank.waits_for) continue;
    *std::exchange(rank.waits_for, nullptr) += kStopWeight;
    make_ready(rank.main);
  }
}

void wait_where_it_may_stop(int& left, WaitReason why) {
  Rank& rank = *current_rank();
  if (!may_stop_in_wait(rank)) return block(why);
  for (;;) {
    if (stops_in_waits()) {
      left += kStopWeight;
    } else {
      rank.waits_for = &left;
      block(why);
      rank.waits_for = nullptr;
      if (left < kStopWeight / 2) return;
    }
    if (stops_in_waits()) stop_in_wait(rank);  // else the step was called off before this fiber has run
    left -= kStopWeight;
    if (left <= 0) return;
  }
}

void let_stop() {
  if (stops_in_waits() && may_stop_in_wait(*current_rank())) stop_in_wait(*current_rank());
}

void stop_for_state() {
  for (bool all_have = false; !all_have;) {
    loop->stops.for_state.push_back(&all_have);
    note_rank_at_sync();
    block({"in MPIX_Checkpoint, for the other ranks", {}}, FiberState::at_sync);
  }
}

std::size_t stopped_for_state() { return loop->stops.for_state.size(); }

void end_stops_for_state(bool all_have) {
  for (bool* const rank_has : std::exchange(loop->stops.for_state, {})) *rank_has = all_have;
}

void release_held() {
  for (const int rank : std::exchange(loop->stops.held, {})) make_ready(rank_in_slot(rank).main);
}

bool any_held() { return !loop->stops.held.empty(); }

void sync_point(std::uint64_t& passed) {
  const bool gather = balance::next_gathers(passed);
  ++passed;
  if (!gather) return;
  stop_at_point();
}

}  // namespace skein::pe
