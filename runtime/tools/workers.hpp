// SPDX-License-Identifier: Apache-2.0
// Tasks on all cores, each in a process of its own: a task may load libraries that keep state or stand only
// once in a process (partitioners, SimGrid), may crash, and can be ended at any time. What a task gives does
// not depend on the others, nor on how many run at once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace skein::tools {

struct WorkerResult {
  bool done = false;  ///< false: never begun, or ended because the user or the budget said so
  std::string text;   ///< what the task returned
  std::string error;  ///< what it threw, or how its process ended
};

/// `task(i)` for each i < count, in a forked child, at most `at_once` at a time. `tick(done)` is called when
/// some are done and ten times a second; once it returns false, what runs is ended and nothing more begins.
/// The process must have one thread. Throws skein::Error if no child can be started.
std::vector<WorkerResult> run_in_processes(std::size_t count, std::size_t at_once,
                                           const std::function<std::string(std::size_t)>& task,
                                           const std::function<bool(std::size_t done)>& tick);

/// While it lives, the first SIGINT or SIGTERM is noted; a second one ends the process as ever.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  bool asked() const;
};

}  // namespace skein::tools
