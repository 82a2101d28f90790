// SPDX-License-Identifier: Apache-2.0
// Options about states of any job, of ranks or of elements (runtime/checkpoint/).
#include "runtime/base/error.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/net/nodes.hpp"

namespace skein::launch {

const char* other_than_states(const RunOptions& run) {
  if (run.lb_mode.is_lazy()) return "--lb-mode lazy";
  if (run.lb_mode.reserved_pes() > 0) return "--lb-mode decoupled:reserved";
  if (run.learn_mode) return "--lb-mode auto";
  if (!run.trace.file.empty()) return "--trace";
  if (run.check) return "--check";
  return nullptr;
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
