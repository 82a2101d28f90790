// SPDX-License-Identifier: Apache-2.0
// What the options say of states of the job (runtime/checkpoint/).
#include <algorithm>
#include <cstdlib>
#include <string>

#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/launch/survival.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/vmpi/sync.hpp"

namespace skein::launch {

std::string take_states_folder(RunOptions& run) {
  const std::string memory = told_states_folder();
  unsetenv(kStatesVariable);
  if (const std::string newest = memory.empty() ? "" : checkpoint::newest_state(memory); !newest.empty())
    run.restart = newest;
  return memory;
}

void check_states(const RunOptions& run, const std::string& memory, const image::AddressSpaceState& space) {
  if (!saves(run) && run.restart.empty()) return;
  const std::string option = !run.restart.empty()             ? named_by(run, "--restart")
                             : !run.checkpoint.folder.empty() ? named_by(run, "--checkpoint")
                                                              : named_by(run, "--survive");
  if (const char* const other = other_than_states(run))
    throw Error(format("%s does not go with %s: leave one of them out", option.c_str(), other));
  if (run.survive.on && memory.empty())
    throw Error(
        named_by(run, "--survive") +
        ": the PEs were not started by skein run, which would start them again: leave mpirun or srun away");
  if (run.survive.on && net::world.machine_pes < net::world.pes)
    throw Error(named_by(run, "--survive") +
                ": the PEs are on several machines, and states are in the memory of one: use --checkpoint "
                "and --restart there");
  if (space.method == image::AddressSpaceState::Method::none)
    throw Error(format("%s: addresses differ from run to run here, so that no image of a rank can go on: %s",
                       option.c_str(), space.obstacle.c_str()));
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
