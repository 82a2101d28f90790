// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/api/sync_at.hpp"

#include <algorithm>
#include <string>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/sync.hpp"

namespace skein::vmpi {

void set_sync_at(std::string_view call, std::uint64_t every, int ranks) {
  SKEIN_CHECK(every > 0, "--sync-at %.*s: every 0", static_cast<int>(call.size()), call.data());
  pe::loop->sync_calls.call = call;
  pe::loop->sync_calls.every = every;
  pe::loop->sync_calls.least_ranks = ranks;
  pe::loop->sync_calls.given = true;
}

void set_sync_at_any(std::uint64_t left_out) {
  pe::loop->sync_calls.any = pe::loop->sync_calls.given = true;
  pe::loop->sync_calls.left_out = left_out;
}

namespace {

void count_any(RankState& state, const Comm& comm) {
  if (state.has_own_points) return;
  if (comm.size() != job_ranks.count || comm.remote)
    pe::loop->sync_calls.largest_part = std::max(pe::loop->sync_calls.largest_part, comm.size());
  else if (state.trigger_calls < pe::loop->sync_calls.left_out)
    ++state.trigger_calls;
  else
    pass_sync_point(state);
}

}  // namespace

void count_collective(RankState& state, const Comm& comm, std::string_view function) {
  if (pe::loop->sync_calls.any) return count_any(state, comm);
  if (function.ends_with("_c")) function.remove_suffix(2);
  if (function != pe::loop->sync_calls.call) return;
  ++pe::loop->sync_calls.by_size[comm.size()];
  if (comm.size() >= pe::loop->sync_calls.least_ranks &&
      ++state.trigger_calls % pe::loop->sync_calls.every == 0)
    pass_sync_point(state);
}

}  // namespace skein::vmpi
