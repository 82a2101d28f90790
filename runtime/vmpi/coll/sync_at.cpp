// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/sync_at.hpp"

#include <string>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/sync.hpp"

namespace skein::vmpi {
namespace {

std::string chosen;
std::uint64_t period = 0;

}  // namespace

bool sync_at_set = false;

void set_sync_at(std::string_view call, std::uint64_t every) {
  SKEIN_CHECK(every > 0, "--sync-at %.*s: every 0", static_cast<int>(call.size()), call.data());
  chosen = call;
  period = every;
  sync_at_set = true;
}

void count_collective(RankState& state, std::string_view function) {
  if (function.ends_with("_c")) function.remove_suffix(2);
  if (function == chosen && ++state.trigger_calls % period == 0) pass_sync_point(state);
}

}  // namespace skein::vmpi
