// SPDX-License-Identifier: Apache-2.0
// Options about states of any job, of ranks or of elements (runtime/checkpoint/).
#include <unistd.h>

#include <cstdlib>

#include "runtime/base/error.hpp"
#include "runtime/checkpoint/memory_folder.hpp"
#include "runtime/checkpoint/partner_copies.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::launch {
namespace {

/// Returns an option that was given and that excludes states, or null.
const char* other_than_states(const RunOptions& run) {
  if (run.lb_mode.is_lazy()) return "--lb-mode lazy";
  if (run.lb_mode.reserved_pes() > 0) return "--lb-mode decoupled:reserved";
  if (run.learn_mode) return "--lb-mode auto";
  if (!run.trace.file.empty()) return "--trace";
  if (run.check) return "--check";
  return nullptr;
}

}  // namespace

std::string option_of_states(const RunOptions& run) {
  if (!run.restart.empty()) return named_by(run, "--restart");
  if (!run.checkpoint.folder.empty()) return named_by(run, "--checkpoint");
  return run.survive.on ? named_by(run, "--survive") : "";
}

std::string take_states_folder() {
  const char* const told = getenv(checkpoint::kMemoryFolderVariable);
  std::string folder = told ? told : "";
  unsetenv(checkpoint::kMemoryFolderVariable);
  return folder;
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

void check_states(const RunOptions& run, const MemoryOfStates& memory) {
  const std::string option = option_of_states(run);
  if (option.empty()) return;
  if (const char* const other = other_than_states(run))
    throw Error(format("%s does not go with %s: leave one of them out", option.c_str(), other));
  if (run.survive.on && memory.folder.empty())
    throw Error(
        named_by(run, "--survive") +
        ": after a failure skein run starts the PEs again, but PE 0 was not started by a skein run on its "
        "machine: leave mpirun or srun away, or name the machine of skein run first among those that "
        "SKEIN_MPIEXEC names");
}

void take_arguments(RunOptions& run, const checkpoint::State& from) {
  const std::vector<std::string>& were = from.manifest.arguments;
  if (run.args != were && !run.args.empty())
    throw Error(format("%s: is of a job with other arguments: leave them out, or use: %s", from.path.c_str(),
                       were.empty() ? "none" : join_words(were).c_str()));
  run.args = were;
}

std::vector<checkpoint::Place> places_of_states(const RunOptions& run, const MemoryOfStates& memory) {
  std::vector<checkpoint::Place> places;
  if (!run.checkpoint.folder.empty())
    places.push_back({.folder = run.checkpoint.folder,
                      .every_s = run.checkpoint.every_s,
                      .keep = run.checkpoint.keep,
                      .lasting = true,
                      .machines = checkpoint::one_folder(net::world.pes)});
  if (run.survive.on)
    places.push_back({.folder = memory.folder,
                      .every_s = run.survive.every_s,
                      .keep = 1,
                      .resizes = true,
                      .machines = memory.machines});
  return places;
}

}  // namespace skein::launch
