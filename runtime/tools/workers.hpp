// SPDX-License-Identifier: Apache-2.0
// Tasks on all cores, in processes of their own: a task may load libraries that keep state or are made for
// one thread (partitioners), may crash, and can be ended at any time. A process takes one task after the
// other, so that a fork, with the page faults that follow it, is not paid for each. What a task gives does
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

/// How many tasks a process takes, one after the other.
enum class TasksEach { many, one };

/// `task(i)` for each i < count, in forked children, `at_once` at most. `tick(done)` is called when some are
/// done and ten times a second; once it returns false, what runs is ended and nothing more begins. The
/// process must have one thread. Throws skein::Error if no child can be started.
std::vector<WorkerResult> run_in_processes(std::size_t count, std::size_t at_once, TasksEach each,
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
