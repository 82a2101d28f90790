// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/sync.hpp"

#include "runtime/pe/sync.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {
namespace {

void call(RankState& state, MPI_MigrateFn function) {
  if (!function) return;
  ProgramScope program(state.rank);
  function();
}

}  // namespace

void pass_sync_point(RankState& state) {
  const bool gathers = balance::next_gathers(state.sync_points);
  if (gathers) {
    call(state, state.before_step);
    take_copies(state);
  }
  const RecordedSync recorded(state);
  pe::sync_point(state.sync_points);
  recorded.is_over(state);
  if (gathers) call(state, state.after_step);
}

}  // namespace skein::vmpi
