// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/mover.hpp"

#include <cstdio>
#include <utility>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/memory_domains.hpp"
#include "runtime/base/check.hpp"
#include "runtime/base/descriptor_passing.hpp"
#include "runtime/base/error.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/program.hpp"
#include "runtime/libc/files.hpp"
#include "runtime/libc/settings.hpp"
#include "runtime/move/following_pages.hpp"
#include "runtime/move/page_transfers.hpp"
#include "runtime/move/rank_pages.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/rank/side_stacks.hpp"
#include "runtime/trace/recording.hpp"

namespace skein::move {
namespace {

bool same_node(int pe, int other) {
  return net::world.node_of[static_cast<std::size_t>(pe)] ==
         net::world.node_of[static_cast<std::size_t>(other)];
}

/// Returns true if a rank's open files move as descriptors, not by their names.
bool hands_files_over(int from, int to) { return net::can_pass_descriptors() && same_node(from, to); }

/// Returns true if a move between two PEs hands the slot over.
bool hands_over(int from, int to) {
  return arena::reserved.backing == arena::Backing::node_shared && same_node(from, to);
}

/// Gives back all memory that the rank ever touched, its control block last.
void discard_slot(std::size_t slot) {
  const Rank& rank = rank_in_slot(static_cast<int>(slot));
  const std::vector<arena::Range> ranges = memory_of(slot, arena::stack_address(slot), rank.heap.top());
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) arena::discard(*range);
}

/// Unmaps the slot before a rank comes to this PE again: the MPI underneath may have registered pages of the
/// slot with a network when the rank was here, and another PE of the node may have given these back since.
/// That MPI forgets them with the addresses. One node needs no network.
void forget_slot(std::size_t slot) {
  if (net::world.nodes == 1) return;
  for (const arena::Range& range : memory_of(slot, arena::stack_address(slot), arena::slot_address(slot + 1)))
    arena::forget(range);
}

void leave(int id, int to, balance::MoveTotals& totals, PageTransfers& transfers) {
  Rank& rank = rank_in_slot(id);
  trace::object_leaves(static_cast<trace::ObjectIndex>(id));
  fflush(stdout);  // so that an unfinished line of the rank precedes what it writes on its next PE
  const bool files_too = hands_files_over(own_pe, to);
  const std::vector<int> descriptors =
      libc::files_leave(rank, files_too ? libc::FileRoute::hand_over : libc::FileRoute::reopen);
  if (files_too) net::pass_descriptors(to, id, descriptors);
  close_descriptors(descriptors);
  image::current_program()->on_departure(static_cast<std::size_t>(id));
  remove_side_guards(rank);
  ++totals.objects;
  if (hands_over(own_pe, to)) {
    totals.bytes_handed_over += bytes_in_use_without_side_stacks(rank);
    note_hand_over(rank, to);
    return;
  }
  rank.heap.trim();
  std::vector<arena::Range> runs = pages_of(rank);
  for (const arena::Range& run : runs) totals.bytes_copied += run.bytes;
  transfers.send(id, to, std::move(runs));
}

/// Makes what the process keeps for the rank, except its files. Throws skein::Error if the system refuses, or
/// the program's file was overwritten.
Rank& settle(int id, bool handed_over) {
  const auto slot = static_cast<std::size_t>(id);
  image::current_program()->on_arrival(slot);
  arena::install_guards({&slot, 1});
  Rank& rank = rank_in_slot(id);
  SKEIN_CHECK(rank.magic == Rank::expected_magic && rank.id == id, "slot %d arrived without its rank", id);
  install_side_guards(rank);
  note_arrival(rank, handed_over);
  libc::settings_arrive(rank);
  rank.heap.ask_again_for_huge_pages();
  return rank;
}

/// Completes an arrival. Throws skein::Error like settle().
void arrive(int id, int from) {
  Rank& rank = settle(id, hands_over(from, own_pe));
  const std::vector<int> descriptors = hands_files_over(from, own_pe)
                                           ? net::take_descriptors(id, libc::descriptors_under_way(rank))
                                           : std::vector<int>{};
  libc::files_arrive(rank, descriptors);
}

}  // namespace

void start_mover() {
  balance::find_memory_domains();
  PageTransfers::check_tags(static_cast<int>(pe::location->pe_of_rank.size()));
}

balance::MoveTotals move_ranks(std::span<const int> new_pe) {
  balance::MoveTotals totals;
  PageTransfers transfers;
  std::vector<std::pair<int, int>> coming;  // (rank, from)
  for (std::size_t i = 0; i < new_pe.size(); ++i) {
    const int id = static_cast<int>(i), from = pe::location->pe_of_rank[i], to = new_pe[i];
    if (to != own_pe || from == own_pe) continue;
    coming.emplace_back(id, from);
    forget_slot(i);
    if (hands_over(from, own_pe)) continue;
    image::current_program()->unseal_images(i);
    transfers.receive(id, from);
  }
  std::vector<std::size_t> copied_away;
  for (std::size_t i = 0; i < new_pe.size(); ++i) {
    if (pe::location->pe_of_rank[i] != own_pe || new_pe[i] == own_pe) continue;
    leave(static_cast<int>(i), new_pe[i], totals, transfers);
    if (!hands_over(own_pe, new_pe[i])) copied_away.push_back(i);
  }
  while (!transfers.is_over()) {
    const bool any =
        net::serve_descriptors();  // otherwise a PE that has ranks for this one waits to pass their files on
    if (!net::poll() && !any) net::idle();
  }
  for (const std::size_t slot : copied_away) {
    image::current_program()->unseal_images(slot);
    discard_slot(slot);
  }
  net::arrive_descriptors();
  pe::location->pe_of_rank.assign(new_pe.begin(), new_pe.end());
  ++pe::location->placement_generation;
  image::current_program()->release_departed();
  for (const auto& [id, from] : coming) {
    try {
      arrive(id, from);
    } catch (const Error& error) {
      end_job_plainly(rank_in_slot(id), 1, "it came from PE %d, and cannot go on here: %s", from,
                      error.what());
    }
  }
  return totals;
}

std::vector<arena::Range> pack(Rank& rank) {
  fflush(stdout);
  (void)libc::files_leave(rank, libc::FileRoute::save);
  image::current_program()->on_departure(static_cast<std::size_t>(rank.id));
  remove_side_guards(rank);
  rank.heap.trim();
  return pages_of(rank);
}

void stay(Rank& rank) {
  image::current_program()->on_arrival(static_cast<std::size_t>(rank.id));
  install_side_guards(rank);
  libc::files_stay(rank);
}

void come_from_file(int id) {
  Rank& rank = settle(id, false);
  rank.stream = nullptr;  // it belongs to the recording of another job
  libc::files_arrive(rank, {});
}

const char* unsaved_because(const Rank& rank) {
  if (rank.pinned_because) return rank.pinned_because;
  if (const char* const because = image::pinned_by_library(rank)) return because;
  return libc::files_bound_to_node(rank);
}

const char* pinned_because(const Rank& rank) {
  if (rank.pinned_because) return rank.pinned_because;
  if (rank.stays) return "AMPI_Set_migratable(0) is in force";
  if (const char* const because = image::pinned_by_library(rank)) return because;
  const bool by_name = net::world.nodes > 1 || !net::can_pass_descriptors();
  return by_name ? libc::files_bound_to_node(rank) : nullptr;
}

}  // namespace skein::move
