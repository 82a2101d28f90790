// SPDX-License-Identifier: Apache-2.0
// A job that outlives its PEs (--survive), as seen by `skein run`, which started them: it has a folder in the
// memory of the machine, in which the PEs leave states (runtime/checkpoint/). When a PE dies, or the job is
// to have another number of PEs, it starts PEs again, which find the newest state there. If a host file names
// machines to the MPI launcher, those that do not answer after the death of a PE are left out.
//
//   /dev/shm/skein-states-<process>/   valid states, and what resizing.hpp says; on other machines:
//                                      runtime/checkpoint/memory_folder.hpp
//                                   hosts   the machines that are left
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/launch/host_file.hpp"
#include "runtime/launch/job_end.hpp"
#include "runtime/launch/options.hpp"
#include "runtime/launch/spawn.hpp"

namespace skein::launch {

class Survival final : public GoingOnJob {
 public:
  /// Makes the folder, and removes those of jobs whose starter was killed. `launcher`: of the PEs. Throws
  /// skein::Error.
  Survival(int pes, const SurviveOptions& options, std::vector<std::string> launcher);
  ~Survival() override;
  Survival(const Survival&) = delete;
  Survival& operator=(const Survival&) = delete;

  /// Returns, after the PEs have ended, on how many the job is to go on; nothing if it has ended, and then
  /// the folder is gone. Prints the reason to standard error.
  std::optional<int> go_on(const JobEnd& end) override;
  const std::vector<std::string>& launcher() const override { return launcher_; }
  void shrink_by(int pe) override;
  double grace_s() const override { return options_.grace_s; }
  double stopped_s() const override { return options_.stopped_s; }

 private:
  std::optional<int> decide(const JobEnd& end);
  std::optional<int> after_death(const JobEnd& end);
  void leave_lost_machines();
  int times_at_same_place(const JobEnd& end, std::uint64_t points);

  std::string folder_;
  int pes_;         // the present number
  int wanted_pes_;  // the number if there are machines for so many
  SurviveOptions options_;
  std::int64_t printed_;  // output_bytes() before the job
  std::vector<std::string> launcher_;
  std::optional<HostFile> hosts_;  // of the launcher, as the user has named it
  int leaving_ = 0;                // PEs that are leaving
  bool was_up_ = false;            // the MPI underneath was up, in this start or one before
  std::string last_from_;          // the state from which the job went on last
  int deaths_ = 0;                 // since that state was the newest one
  std::string last_fault_;
  std::uint64_t last_points_ = 0;  // sync points before the state used after that fault
  int faults_ = 0;                 // consecutive faults at the same place
};

/// Asks the job of that `skein run` for `pes` PEs, and waits until its PEs have left a state. Throws
/// skein::Error.
void resize(pid_t starter, int pes);

}  // namespace skein::launch
