// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/rank_objects.hpp"

#include "runtime/balance/objects.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/move/collect.hpp"
#include "runtime/move/debugged_ranks.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::move {
namespace {

void count_live_ranks() {
  int live = 0;
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id)
    live += pe::is_here(static_cast<int>(id)) && !rank_in_slot(static_cast<int>(id)).done;
  pe::set_live_ranks(live);
}

balance::MoveTotals move(const lb::Decision& decision) {
  const balance::MoveTotals totals =
      move_ranks(std::vector<int>(decision.pe_of.begin(), decision.pe_of.end()));
  count_live_ranks();
  list_ranks_for_debugger();
  return totals;
}

const std::vector<int>& places() { return pe::location->pe_of_rank; }

bool moves_copy() { return net::world.nodes > 1 || arena::backing != arena::Backing::node_shared; }

double busy_seconds() { return seconds_of(scheduler_stats->busy_ticks); }

}  // namespace

void balance_ranks() {
  balance::set_objects(
      {"ranks", "call MPI_Migrate() in its time loop, or use --sync-at MPI_Allreduce:every=50",
       collect_snapshot, busy_of_ranks, pinned_ranks, move, [](const lb::Decision&) { return false; },
       collect_local, places, moves_copy, pe::last_meeting_seconds, busy_seconds});
}

}  // namespace skein::move
