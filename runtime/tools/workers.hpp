// SPDX-License-Identifier: Apache-2.0
// Tasks on all cores, in processes of their own: a task may load libraries that keep state or are made for
// one thread (partitioners), may crash, and can be ended at any time. A process takes one task after the
// other, so that not each pays for a fork, with the page faults that follow it. The result of a task depends
// neither on the others, nor on how many run at once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace skein::tools {

struct WorkerResult {
  bool done = false;  ///< false: never begun, or ended by the user or the budget
  std::string text;   ///< what the task returned
  std::string error;  ///< the exception's text, or how its process ended
};

/// How many tasks a process takes, one after the other.
enum class TasksEach { many, one };

/// Runs `task(i)` for each i < count, in at most `at_once` forked children. Calls `tick(done)` when some are
/// done and ten times a second; once it returns false, running tasks are ended and no more begin. The process
/// must have one thread. Throws skein::Error if no child can be started.
std::vector<WorkerResult> run_in_processes(std::size_t count, std::size_t at_once, TasksEach each,
                                           const std::function<std::string(std::size_t)>& task,
                                           const std::function<bool(std::size_t done)>& tick);

/// Notes the first SIGINT or SIGTERM in its scope; a second one ends the process as usual.
class StopOnSignal {
 public:
  StopOnSignal();
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  bool asked() const;
};

}  // namespace skein::tools
