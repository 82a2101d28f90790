// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/rank_objects.hpp"

#include <cstring>
#include <vector>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/image/debugger.hpp"
#include "runtime/move/collect.hpp"
#include "runtime/move/following_pages.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/loop_state.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/pe/sync.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::move {
namespace {

void count_live_ranks() {
  int live = 0;
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id)
    live += pe::is_here(static_cast<int>(id)) && !rank_in_slot(static_cast<int>(id)).done;
  pe::set_live_ranks(live);
}

class RankObjects final : public balance::Objects, public balance::LazyObjects {
 public:
  const char* noun() const override { return "ranks"; }
  std::string sync_hint() const override {
    return pe::sync_hint(pe::loop->sync_calls, static_cast<int>(pe::location->pe_of_rank.size()));
  }
  bool moves_copy() const override {
    return net::world.nodes > 1 || arena::reserved.backing != arena::Backing::node_shared;
  }
  double meeting_seconds() const override { return pe::last_meeting_seconds(); }
  double busy_seconds() const override { return seconds_of(scheduler_stats().busy_ticks); }

  const std::vector<int>* places() const override { return &pe::location->pe_of_rank; }

  balance::IntervalShare end_interval() override { return move::end_interval(); }
  std::vector<std::byte> share() override { return share_of_ranks(); }
  lb::Snapshot snapshot_of(const net::PeBlocks& shares) override { return snapshot_of_ranks(shares); }
  balance::LazyObjects* when_lazy() override { return this; }
  bool come_and_go() const override { return false; }
  bool can_begin_late() const override { return true; }
  bool all_may_leave() const override { return move::all_may_leave(); }
  void note_asked(std::uint64_t point) override { move::note_asked(point); }
  std::vector<std::byte> share_at(std::uint64_t stop) override { return share_of_stopped_ranks(stop); }
  balance::IntervalShare interval_of(const net::PeBlocks& shares) const override {
    return move::interval_of(shares);
  }
  const std::vector<double>* busy_in_interval() const override { return busy_of_ranks(); }
  const std::vector<int>& pinned() const override { return pinned_ranks(); }
  lb::LocalPe local() override { return local_ranks(); }

  balance::MoveTotals move(const lb::Decision& decision) override {
    return move_to({decision.pe_of.begin(), decision.pe_of.end()});
  }

  std::uint64_t follow() override { return follow_ranks(); }

  lb::MeasuredPart part_of(const net::PeBlocks& shares) override { return part_of_ranks(shares); }

  balance::MoveTotals move_own(std::span<const lb::PeIndex> pe_of) override {
    std::vector<Arrival> leaving;
    for (std::size_t i = 0; i < pe_of.size(); ++i)
      if (const int pe = static_cast<int>(pe_of[i]); pe != net::world.pe)
        leaving.push_back({shared_ranks()[i], pe});
    return move_all(leaving);
  }
  balance::MoveTotals bring(std::span<const lb::ObjectIndex> arriving) override {
    std::vector<Arrival> mine;
    for (const lb::ObjectIndex rank : arriving) mine.push_back({static_cast<int>(rank), net::world.pe});
    return move_all(mine);
  }

 private:
  struct Arrival {
    int rank, pe;
  };

  /// Tells all PEs which objects go where, as every PE knows every rank's place, and moves them. `mine`: the
  /// arrivals that only this PE knows of.
  static balance::MoveTotals move_all(const std::vector<Arrival>& mine) {
    const auto all = net::all_gather_blocks(std::as_bytes(std::span(mine)));
    std::vector<int> places = pe::location->pe_of_rank;
    for (std::size_t at = 0; at < all.size(); at += sizeof(Arrival)) {
      Arrival arrival;
      memcpy(&arrival, &all[at], sizeof arrival);
      places[static_cast<std::size_t>(arrival.rank)] = arrival.pe;
    }
    return move_to(places);
  }

  static balance::MoveTotals move_to(const std::vector<int>& places) {
    const balance::MoveTotals totals = move_ranks(places);
    count_live_ranks();
    list_ranks_for_debugger();
    return totals;
  }
};

}  // namespace

void balance_ranks() {
  begin_intervals();
  pe::measure_shares_by(append_running_rank);
  balance::set_objects(std::make_unique<RankObjects>());
}

namespace {

/// The most ranks that are listed: GDB reads the symbols of every image of every listed rank, and takes too
/// long with thousands.
constexpr std::size_t kMostRanksListed = 256;

}  // namespace

void list_ranks_for_debugger() {
  std::vector<std::size_t> slots;
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size() && slots.size() < kMostRanksListed; ++id)
    if (pe::is_here(static_cast<int>(id))) slots.push_back(id);
  image::publish_to_debugger(slots);
}

}  // namespace skein::move
