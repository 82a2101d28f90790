// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/pe_loop.hpp"

#include <sched.h>

#include <array>
#include <cstdint>

#include "runtime/balance/lazy.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/directory.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/trace/recording.hpp"

namespace skein::pe {
namespace {

constexpr std::uint64_t longest_idle_ns = 300'000;  // net::idle() takes no longer

// Invariant: live == ranks on this PE whose program has not ended; at_sync of them are stopped at a sync
// point.
struct Loop {
  int live = 0;
  int at_sync = 0;
  std::uint64_t meeting_ticks = 0;  // of the last meeting
  std::uint64_t ended_meetings = 0;
};
PerRuntime<Loop> loop;

/// Takes in what has come and runs what it made ready. Returns whether anything happened.
bool serve() {
  balance::keep_progress();
  const bool ran = run_ready();
  const bool decided = balance::serve_lazy();
  return net::poll() || ran || decided;
}

/// Waits until all PEs are here and nothing is under way between them: no message, no transfer, no fiber that
/// could cause one. Ranks of PEs that have not come yet are served meanwhile: by what arrives here, and by
/// the nonblocking collectives of ranks that are here, which pass on what others wait for. Returns how many
/// ranks of the job are at a sync point.
///
/// The four-counter method (Mattern 1987): as many messages delivered at the first of two sums as sent at the
/// second means that none was under way between them. All ready fibers have run before a PE names its counts,
/// and only a message makes another ready, so none could send one after. A fiber that sleeps (in an operation
/// of a nonblocking collective) is under way, too.
int meet() {
  std::uint64_t received_before = ~std::uint64_t{0};
  for (;;) {
    while (serve()) {
    }
    const net::Traffic now = net::traffic();
    std::array<std::uint64_t, 4> sums{now.sent, now.received, now.bulk_active + any_asleep(),
                                      static_cast<std::uint64_t>(loop->at_sync)};
    net::sum_polling(sums, serve);
    const auto [sent, received, active, ranks] = sums;
    if (sent == received_before && active == 0) return static_cast<int>(ranks);
    received_before = received;
  }
}

void resume_all() {
  loop->at_sync = 0;
  for (std::size_t rank = 0; rank < location->pe_of_rank.size(); ++rank) {
    if (!is_here(static_cast<int>(rank))) continue;
    Rank& r = rank_in_slot(static_cast<int>(rank));
    if (!r.done) make_ready(r.main);
  }
}

}  // namespace

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
bool may_meet() { return loop->at_sync == loop->live && !any_ready() && !any_asleep(); }
std::uint64_t meetings_ended() { return loop->ended_meetings; }
void set_live_ranks(int count) { loop->live = loop->at_sync = count; }
double last_meeting_seconds() { return seconds_of(loop->meeting_ticks); }
void wait_idly() {
  if (trace::recording) trace::write_old(ticks());
  if (wakes_within(longest_idle_ns))
    sched_yield();
  else
    net::idle();
}

void run_pe() {
  if (balance::is_lazy()) balance::note_running(live_ranks());
  for (;;) {
    if (serve() || any_ready()) continue;
    if (loop->at_sync < loop->live) {
      wait_idly();
      continue;
    }
    const std::uint64_t start = ticks();
    const int gathered = meet();
    loop->meeting_ticks = ticks() - start;
    use_process_directory();  // files that are named on the command line
    if (gathered == 0) return;
    balance::lb_step();
    if (balance::is_lazy()) balance::note_running(live_ranks());
    resume_all();
    ++loop->ended_meetings;
  }
}

}  // namespace skein::pe
