// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/sync.hpp"

#include <utility>

#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/balance/progress.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/pe/loop_state.hpp"
#include "runtime/pe/sync.hpp"
#include "runtime/vmpi/coll/joint/joint.hpp"
#include "runtime/vmpi/coll/meeting/unmet.hpp"
#include "runtime/vmpi/io/here.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {
namespace {

/// Returns the states of the job: one object, as a process has one job of ranks.
States& states_of_job() {
  static States states;
  return states;
}

void call(RankState& state, MPI_MigrateFn function) {
  if (!function) return;
  ProgramScope program(state.rank);
  function();
}

void comes_back(RankState& state, int pe_before) {
  if (own_pe != pe_before) ++state.moves;
  leave_joint_parts_anew(state);
  forget_departed_files();
}

/// Passes a sync point in a lazy job, or in one that agrees on its steps, where all ranks may stop at any
/// sync point.
void pass_lazily(RankState& state) {
  const RecordedSync recorded(state);
  balance::note_point(state.sync_points);
  while (pe::comes_to_stop(state.rank, state.sync_points)) {
    call(state, state.before_step);
    prepare_to_part(state);
    const int pe_before = own_pe;
    pe::stop_at_point();
    comes_back(state, pe_before);
    call(state, state.after_step);
    if (!balance::is_lazy()) {  // never was, or is no more
      ++state.sync_points;
      break;
    }
  }
  recorded.is_over(state);
}

bool may_stop_in_waits(const Rank& rank) {
  return !rank.mpi->has_own_points && !rank.mpi->before_step && !rank.mpi->after_step;
}

}  // namespace

void let_ranks_stop_in_waits() {
  static constexpr pe::StopsInWaits by{may_stop_in_waits, [](Rank& rank) { prepare_to_part(*rank.mpi); },
                                       [](Rank& rank, int pe_before) { comes_back(*rank.mpi, pe_before); },
                                       unmet_collectives, keep_unmet_apart};
  pe::let_stop_in_waits(by);
}

void let_ranks_ask_for(States states) { states_of_job() = std::move(states); }

bool want_state(StatesAre kind) { return states_of_job().want && states_of_job().want(kind); }

bool write_state(RankState& state) {
  if (!states_of_job().want) return true;
  call(state, state.before_step);
  prepare_to_part(state);
  const int pe_before = own_pe;
  pe::stop_for_state();
  comes_back(state, pe_before);
  const bool written = states_of_job().written();
  call(state, state.after_step);
  return written;
}

void pass_sync_point(RankState& state) {
  const std::uint64_t left_out = pe::loop->sync_calls.left_out;
  if (left_out > 0 && state.trigger_calls == left_out) balance::agree_from_here();
  if (balance::agrees_on_steps()) {
    if (trace::recording || !balance::passes_freely(state.sync_points)) return pass_lazily(state);
    (void)poll_in_passing();  // otherwise a program without other calls would not learn that a step is due
    return;
  }
  if (balance::is_lazy()) return pass_lazily(state);
  const bool gathers = balance::next_gathers(state.sync_points);
  if (gathers) {
    call(state, state.before_step);
    prepare_to_part(state);
  }
  const RecordedSync recorded(state);
  const int pe_before = own_pe;
  pe::sync_point(state.sync_points);
  recorded.is_over(state);
  if (!gathers) return;
  comes_back(state, pe_before);
  call(state, state.after_step);
}

}  // namespace skein::vmpi
