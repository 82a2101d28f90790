// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/job_end.hpp"

#include <signal.h>

#include <algorithm>
#include <iterator>

#include "runtime/base/error.hpp"

namespace skein::launch {
namespace {

constexpr int kKilledStatus = 128 + SIGKILL;
constexpr int kUnreadStatus = 128 + SIGPIPE;
constexpr int kCpuStatus = 128 + SIGXCPU;
constexpr int kTooLargeStatus = 128 + SIGXFSZ;

std::string why_killed(const JobEnd& end) {
  if (end.out_of_memory == OutOfMemory::yes)
    return ": the kernel has killed it, because memory ran out; run fewer ranks on this node, or use more "
           "nodes";
  if (end.processor_seconds > 0)
    return format(
        ": it was killed, most likely at the limit of %lu s on its use of the processor (ulimit -t)",
        end.processor_seconds);
  if (end.out_of_memory == OutOfMemory::unknown)
    return ": somebody has killed it, most likely the kernel, because memory ran out (dmesg tells); then run "
           "fewer ranks on this node, or use more nodes";
  return ": somebody has killed it, but not the kernel for lack of memory: one of its ranks itself, a user, "
         "or a batch system at one of its limits";
}

/// Returns the likely cause. Launchers give the status as a shell does, or the signal alone.
std::string likely_cause(const JobEnd& end) {
  const int status = end.status;
  if (status == kKilledStatus || status == SIGKILL) return why_killed(end);
  if (status == kCpuStatus || status == SIGXCPU)
    return ": it came to the limit on its use of the processor (ulimit -t)";
  if (status == kUnreadStatus || status == SIGPIPE)
    return ": it printed where nobody reads any more, as into a pipe to head";
  if (status == kTooLargeStatus || status == SIGXFSZ)
    return ": it wrote a file beyond the limit of file sizes (ulimit -f)";
  return "";
}

}  // namespace

bool is_sudden_death(int signal) {
  constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGKILL};
  return std::ranges::find(kSignals, signal) != std::end(kSignals);
}

std::string name_lost_pe(const JobEnd& end) {
  const std::string name = format("PE %d, process %d", end.lost_pe, end.lost_process);
  return end.lost_host.empty() ? name : name + " on " + end.lost_host;
}

std::string describe_end(const JobEnd& end, const std::string& launcher, const std::string& mpi) {
  if (end.stopped || end.lost_node) return "";  // PEs have reported more about a node
  if (end.lost_pe >= 0)
    return format("skein run: %s, died without a word, and the job with it (status %d)%s",
                  name_lost_pe(end).c_str(), end.status,
                  end.lost_host.empty() ? likely_cause(end).c_str() : "");
  if (end.lost_process > 0)
    return format(
        "skein run: a PE, process %d, died while the MPI underneath started, and the job with it (status "
        "%d)%s",
        end.lost_process, end.status, likely_cause(end).c_str());
  if (!end.any_pe && end.status == kTooLargeStatus)
    return format("skein run: the MPI launcher '%s' ended with status %d%s", launcher.c_str(), end.status,
                  likely_cause(end).c_str());
  if (!end.any_pe && end.status != 0)
    return format(
        "skein run: the MPI launcher ended with status %d before a PE had reported from this machine: '%s'; "
        "it must be the mpiexec of %s, which SKEIN_MPIEXEC can name",
        end.status, launcher.c_str(), mpi.c_str());
  if (!end.any_pe)
    return format(
        "skein run: the MPI launcher has ended well, but no PE has reported from this machine: '%s'; if the "
        "job did not run on other machines either, it is not the mpiexec of %s, which SKEIN_MPIEXEC can name",
        launcher.c_str(), mpi.c_str());
  return "";
}

}  // namespace skein::launch
