// SPDX-License-Identifier: Apache-2.0
// Options about states of a job of ranks (runtime/checkpoint/).
#include <algorithm>
#include <string>

#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/vmpi/sync.hpp"

namespace skein::launch {

void check_slots(const RunOptions& run, const image::AddressSpaceState& space) {
  if (option_of_states(run).empty() || space.method != image::AddressSpaceState::Method::none) return;
  throw Error(
      format("%s: this system gives a program other addresses in each run, so that a saved rank "
             "cannot go on: %s",
             option_of_states(run).c_str(), space.obstacle.c_str()));
}

void take_over(RunOptions& run, const checkpoint::State& from) {
  const checkpoint::Manifest& was = from.manifest;
  const bool says_ranks = std::ranges::any_of(
      run.given, [](const std::string& option) { return option.starts_with("--ranks="); });
  if (says_ranks && run.ranks != was.ranks)
    throw Error(format("%s: is of a job of %d ranks, not of %d: leave out -n, or use -n %d",
                       from.path.c_str(), was.ranks, run.ranks, was.ranks));
  take_arguments(run, from);
  run.ranks = was.ranks;
  run.slot_bytes = was.slots.slot_bytes;
  run.stack_bytes = was.slots.stack_bytes;
}

void let_ranks_ask_for_states(const std::vector<checkpoint::Place>& places, const checkpoint::Saver& saver) {
  const auto want = [places](vmpi::StatesAre kind) {
    const auto place =
        std::ranges::find(places, kind == vmpi::StatesAre::in_files, &checkpoint::Place::lasting);
    if (place == places.end()) return false;
    try {
      if (upcalls.running_rank() == 0) checkpoint::want_state(place->folder);
    } catch (const Error& error) {
      SKEIN_WARN("no checkpoint in %s: %s", place->folder.c_str(), error.what());
    }
    return true;
  };
  vmpi::let_ranks_ask_for({want, [&saver] { return !saver.failed(); }});
}

}  // namespace skein::launch
