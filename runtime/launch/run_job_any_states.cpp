// SPDX-License-Identifier: Apache-2.0
// What the options say of states of any job, of ranks or of elements (runtime/checkpoint/).
#include "runtime/base/error.hpp"
#include "runtime/launch/process.hpp"
#include "runtime/launch/run_job.hpp"

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

std::vector<checkpoint::Place> places_of_states(const RunOptions& run, const std::string& memory) {
  std::vector<checkpoint::Place> places;
  if (!run.checkpoint.folder.empty())
    places.push_back({run.checkpoint.folder, run.checkpoint.every_s, run.checkpoint.keep, true, false});
  if (run.survive.on)
    places.push_back({.folder = memory, .every_s = run.survive.every_s, .keep = 1, .resizes = true});
  return places;
}

}  // namespace skein::launch
