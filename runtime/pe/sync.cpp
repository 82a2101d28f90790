// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/sync.hpp"

#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::pe {

void sync_point(std::uint64_t& passed) {
  const bool gather = balance::next_gathers(passed);
  ++passed;
  if (!gather) return;
  note_rank_at_sync();
  block({"at a sync point, for the other ranks", {}}, FiberPhase::at_sync);
}

}  // namespace skein::pe
