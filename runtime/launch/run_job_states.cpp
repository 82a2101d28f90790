// SPDX-License-Identifier: Apache-2.0
// Options about states of the job (runtime/checkpoint/).
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/checkpoint/memory_folder.hpp"
#include "runtime/checkpoint/partner_copies.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/launch/survival.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/vmpi/sync.hpp"

namespace skein::launch {

std::string take_states_folder() {
  const std::string told = told_states_folder();
  unsetenv(kStatesVariable);
  return told;
}

MemoryOfStates find_states(RunOptions& run, const std::string& told) {
  if (!run.survive.on) return {};
  // Some launchers pass the name to PEs on other machines, too, which lack the folder.
  const bool is_there = !told.empty() && access(told.c_str(), F_OK) == 0;
  const std::string of_first = net::broadcast_text(is_there ? told : "", 0);
  if (of_first.empty()) return {};
  MemoryOfStates memory{.folder = of_first, .machines = checkpoint::learn_machines()};
  const int own = memory.machines.machine_of(net::world.pe);
  if (own != memory.machines.machine_of(0))
    memory.folder =
        checkpoint::memory_folder_on(of_first, memory.machines.names[static_cast<std::size_t>(own)]);
  const std::string newest =
      net::broadcast_text(net::world.pe == 0 ? checkpoint::newest_state(of_first) : "", 0);
  memory.has_state = !newest.empty();
  if (memory.has_state) run.restart = newest;
  return memory;
}

void take_memory(const MemoryOfStates& memory) {
  const int pe = net::world.pe;
  if (!memory.folder.empty() && pe != 0 && memory.machines.is_keeper(pe))
    checkpoint::take_memory_folder(memory.folder);
}

void check_states(const RunOptions& run, const MemoryOfStates& memory,
                  const image::AddressSpaceState& space) {
  if (!saves(run) && run.restart.empty()) return;
  const std::string option = !run.restart.empty()             ? named_by(run, "--restart")
                             : !run.checkpoint.folder.empty() ? named_by(run, "--checkpoint")
                                                              : named_by(run, "--survive");
  if (const char* const other = other_than_states(run))
    throw Error(format("%s does not go with %s: leave one of them out", option.c_str(), other));
  if (run.survive.on && memory.folder.empty())
    throw Error(
        named_by(run, "--survive") +
        ": after a failure skein run starts the PEs again, but PE 0 was not started by a skein run on its "
        "machine: leave mpirun or srun away, or name the machine of skein run first among those that "
        "SKEIN_MPIEXEC names");
  if (space.method == image::AddressSpaceState::Method::none)
    throw Error(
        format("%s: this system gives a program other addresses in each run, so that a saved rank "
               "cannot go on: %s",
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
