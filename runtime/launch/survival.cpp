// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/survival.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/checkpoint/memory_folder.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/checkpoint/state_folder.hpp"

namespace skein::launch {
namespace {

namespace fs = std::filesystem;

constexpr int kMostDeaths = 3;  // without a new state between them

/// Returns true if a PE died. If it died before it could report, or while others ended, only the launcher's
/// status tells, as with a PE whose fault a handler has reported.
bool died(const JobEnd& end) {
  return end.lost_process > 0 || end.lost_elsewhere || is_sudden_death(end.status - 128);
}

/// Returns true if a process died of writing to one that was just killed: the launcher, too. Nobody wished to
/// stop the job then, unless nobody reads its output any more.
bool died_of_writing(const JobEnd& end) {
  pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  return end.status == 128 + SIGPIPE && (poll(&output, 1, 0) < 1 || (output.revents & POLLERR) == 0);
}

std::string whose_death(const JobEnd& end) {
  const std::string how =
      end.lost_stopped_s > 0 ? format("was stopped for %.3g s and is ended", end.lost_stopped_s) : "died";
  if (end.lost_node) return format("the node %s, with PE %d, is lost", end.lost_host.c_str(), end.lost_pe);
  if (end.lost_pe >= 0) return format("%s, %s", name_lost_pe(end).c_str(), how.c_str());
  if (end.lost_process > 0)
    return format("a PE, process %d, %s while the MPI underneath started", end.lost_process, how.c_str());
  if (end.launcher_died) return format("the MPI launcher died by signal %d", end.status - 128);
  if (end.lost_elsewhere)
    return format("the MPI launcher has ended the job with status %d, for something on another machine",
                  end.status);
  if (!end.any_pe) return "the MPI underneath did not start";
  if (end.put_down) return "the MPI launcher did not end with its PEs";
  return end.fault.empty() ? format("a PE died by signal %d", end.status - 128)
                           : format("a PE died by a fault: %s", end.fault.c_str());
}

}  // namespace

Survival::Survival(int pes, const SurviveOptions& options, std::vector<std::string> launcher)
    : folder_(checkpoint::memory_folder(getpid())),
      pes_(pes),
      wanted_pes_(pes),
      options_(options),
      printed_(output_bytes()),
      launcher_(std::move(launcher)),
      hosts_(HostFile::named_in(launcher_)) {
  checkpoint::remove_left_memory_folders();
  if (mkdir(folder_.c_str(), 0700) != 0)
    throw Error(format("skein run: --survive: %s, which is to have states of the job, cannot be made: %s",
                       folder_.c_str(), strerror(errno)));
  setenv(checkpoint::kMemoryFolderVariable, folder_.c_str(), 1);
}

Survival::~Survival() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::optional<int> Survival::go_on(const JobEnd& end) {
  const std::optional<int> pes = decide(end);
  std::error_code error;
  if (!pes) fs::remove_all(folder_, error);
  return pes;
}

std::optional<int> Survival::decide(const JobEnd& end) {
  if (end.stopped && !end.launcher_died && !died_of_writing(end)) return std::nullopt;
  if (const int pes = checkpoint::take_size(folder_); pes > 0) {
    fprintf(stderr, "skein run: the job goes on with %d PEs instead of %d\n", pes, pes_);
    pes_ = wanted_pes_ = pes;
    leaving_ = 0;
    take_output_back(checkpoint::read_manifest(checkpoint::newest_state(folder_)).output_bytes);
    return pes_;
  }
  was_up_ |= end.any_pe;
  const bool did_not_start = was_up_ && !end.any_pe && end.status != 0;
  return died(end) || died_of_writing(end) || did_not_start ? after_death(end) : std::nullopt;
}

/// Returns how many consecutive faults were at one place of the code, or at one point of the job's progress.
int Survival::times_at_same_place(const JobEnd& end, std::uint64_t points) {
  if (end.lost_process > 0 || end.lost_elsewhere || end.status == 128 + SIGKILL ||
      end.status == 128 + SIGPIPE)
    return 0;
  const std::string fault = whose_death(end);
  faults_ = fault == last_fault_ || points <= last_points_ ? faults_ + 1 : 1;
  last_fault_ = fault;
  last_points_ = points;
  return faults_;
}

std::optional<int> Survival::after_death(const JobEnd& end) {
  const std::string newest = checkpoint::newest_state(folder_);
  const checkpoint::Manifest from =
      newest.empty() ? checkpoint::Manifest() : checkpoint::read_manifest(newest);
  deaths_ = newest == last_from_ ? deaths_ + 1 : 1;
  last_from_ = newest;
  const int times = std::max(deaths_, times_at_same_place(end, from.points));
  const std::string where = newest.empty() ? "its beginning, as it had no state yet"
                                           : "state " + newest.substr(newest.rfind('-') + 1);
  if (times >= kMostDeaths) {
    fprintf(stderr,
            "skein run: %s, for the %d. time %s: the fault repeats, and the job ends; most likely %s\n",
            whose_death(end).c_str(), times,
            deaths_ < times  ? "there"
            : newest.empty() ? "since the beginning"
                             : ("since " + where).c_str(),
            end.any_pe ? "the program has an error there"
                       : "MPI cannot run here; its own messages above say more");
    return std::nullopt;
  }
  take_output_back(newest.empty() ? printed_ : from.output_bytes);
  if (leaving_ > 0) checkpoint::want_no_size(folder_);
  pes_ = wanted_pes_ = std::max(1, wanted_pes_ - std::exchange(leaving_, 0));
  leave_lost_machines();
  fprintf(stderr, "skein run: %s; the job goes on from %s, on %d PEs\n", whose_death(end).c_str(),
          where.c_str(), pes_);
  return pes_;
}

void Survival::leave_lost_machines() {
  if (!hosts_) return;
  const std::vector<HostFile::Host> left = hosts_that_answer(*hosts_, folder_);
  for (const HostFile::Host& host : hosts_->hosts())
    if (std::ranges::find(left, host.line, &HostFile::Host::line) == left.end())
      fprintf(stderr, "skein run: no PE can be started on %s: the job goes on without it\n",
              host.name.c_str());
  launcher_ = hosts_->with_only(left, folder_ + "/hosts");
  if (left.size() < hosts_->hosts().size()) pes_ = std::min(pes_, slots_of(left).value_or(pes_));
}

void Survival::shrink_by(int pe) {
  ++leaving_;
  const int left = std::max(1, pes_ - leaving_);
  fprintf(stderr,
          "skein run: PE %d leaves (SIGTERM): the job goes on with %d PEs from its next sync point, or from "
          "its last state if none comes within %.3g s\n",
          pe, left, options_.grace_s);
  try {
    checkpoint::want_size(folder_, left);
  } catch (const Error& error) {
    fprintf(stderr, "skein run: %s: so the PE is ended, and the job goes on from its last state\n",
            error.what());
  }
}

void resize(pid_t starter, int pes) {
  const std::string folder = checkpoint::memory_folder(starter);
  if (access(folder.c_str(), W_OK) != 0)
    throw Error(format(
        "skein resize: you have no job %d that keeps states in memory: give the process number of a skein "
        "run that was started with --survive (pgrep -a skein lists them)",
        static_cast<int>(starter)));
  checkpoint::want_size(folder, pes);
  constexpr timespec nap{.tv_sec = 0, .tv_nsec = 20'000'000};
  constexpr double patience_s = 10;
  for (double until = seconds() + patience_s; checkpoint::other_size_is_wanted(folder);
       nanosleep(&nap, nullptr)) {
    if (!checkpoint::is_alive(starter)) throw Error("skein resize: the job has ended meanwhile");
    if (seconds() < until) continue;
    fprintf(stderr,
            "skein resize: job %d has come to no LB step in %.0f s; it will go on with %d PEs at the next "
            "one, when all ranks call MPI_Migrate() or the call that --sync-at names; if something else "
            "hinders it, its standard error says so\n",
            static_cast<int>(starter), patience_s, pes);
    until = std::numeric_limits<double>::infinity();
  }
  if (access(folder.c_str(), F_OK) != 0) throw Error("skein resize: the job has ended meanwhile");
  if (checkpoint::take_refusal(folder))
    throw Error(format(
        "skein resize: job %d cannot go on with %d PEs, and runs on as it is; its standard error says why",
        static_cast<int>(starter), pes));
  printf("job %d goes on with %d PEs\n", static_cast<int>(starter), pes);
}

}  // namespace skein::launch
