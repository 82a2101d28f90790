// SPDX-License-Identifier: Apache-2.0
// Starts the PEs when no launcher has done so.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/launch/job_end.hpp"

namespace skein::launch {

/// Returns the command that starts `pes` copies of `started`. `launcher` may carry options. Throws
/// skein::Error when it is empty, or when `pes` is more than one node of `cores` cores should be given and
/// `many_allowed` is false.
std::vector<std::string> spawn_command(std::vector<std::string> launcher, int pes,
                                       std::span<const std::string> started, int cores, bool many_allowed);

/// Returns the words of the MPI launcher underneath: SKEIN_MPIEXEC, else the one found when Skein was
/// configured.
std::vector<std::string> chosen_launcher();

/// A job that may go on when its PEs have ended.
class GoingOnJob {
 public:
  virtual ~GoingOnJob() = default;
  /// Returns, after the PEs have ended, on how many the job is to go on; nothing if it has ended.
  virtual std::optional<int> go_on(const JobEnd& end) = 0;
  /// Returns the words of the launcher that starts the PEs.
  virtual const std::vector<std::string>& launcher() const = 0;
  /// Makes the job go on without that PE from its next sync point: the PE is to be gone within `grace_s()`.
  virtual void shrink_by(int pe) = 0;
  virtual double grace_s() const = 0;
  /// Returns after how many seconds a stopped PE counts as dead.
  virtual double stopped_s() const = 0;
};

/// Runs the MPI launcher underneath (chosen_launcher(), or job->launcher()), which runs `started` `pes`
/// times, again as long as `job`, if there is one, says so. Ends with the launcher's exit status; prints to
/// standard error what the launcher leaves unsaid (supervise.hpp). Throws skein::Error when it cannot be
/// started.
[[noreturn]] void spawn(int pes, std::span<const std::string> started, int cores, GoingOnJob* job = nullptr);

/// Sets the environment that a single PE without a launcher needs, before MPI_Init. Open MPI 4 would start a
/// daemon beside the process (360 ms instead of 230 ms on the development machine), and leave its folders
/// behind when a signal ends it.
void prepare_single_pe();

}  // namespace skein::launch
