// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/process_numbers.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/base/log.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"

extern "C" int pidfd_open(pid_t process, unsigned flags) noexcept;  // kernel_objects.cpp

namespace skein::libc {
namespace {

struct Numbers {
  pid_t launcher = ::getpid();
  pid_t starter = 0;  // of the job
  int ranks = 0;      // of the job
};
Numbers numbers;

pid_t first_of_job() { return kFirstNumber + numbers.starter * kNumbersOfJob; }

pid_t rank_getpid() {
  const Rank* const rank = rank_with_table();
  return rank ? number_of(*rank) : ::getpid();
}
/// Returns the number of the rank's one thread, which natively is that of its process.
pid_t rank_gettid() {
  const Rank* const rank = rank_with_table();
  return rank ? number_of(*rank) : ::gettid();
}
/// Returns, in a child that a rank forked off, the rank's number.
pid_t rank_getppid() {
  const pid_t parent = ::getppid();
  const Rank* const rank = program_rank();
  return rank && in_forked_child() && parent == launcher_process() ? number_of(*rank) : parent;
}

/// Returns the system's number of `process` for the caller.
pid_t translated(pid_t process) {
  const Rank* const rank = program_rank();
  return rank ? in_system(*rank, process) : process;
}

bool is_another_rank(pid_t process) {
  const Rank* const rank = program_rank();
  return rank && process >= first_of_job() && process < first_of_job() + numbers.ranks &&
         process != number_of(*rank);
}

/// Returns the process that started the job which has a rank of that number; or a number that no process has.
pid_t starter_of(pid_t process) {
  return process < kFirstNumber ? process : (process - kFirstNumber) / kNumbersOfJob;
}

int rank_kill(pid_t process, int signal) {
  if (process < kFirstNumber || translated(process) != process) return ::kill(translated(process), signal);
  // Programs ask this way whether the owner of a lock still exists.
  if (is_another_rank(process) && signal == 0) return 0;
  if (is_another_rank(process)) {
    fiber::RuntimeScope runtime;
    SKEIN_WARN(
        "rank %d tried to send signal %d to another rank: ranks are no processes, and get signals with "
        "their PE only",
        fiber::thread_block.rank->id, signal);
    errno = EPERM;
    return -1;
  }
  return ::kill(signal == 0 ? starter_of(process) : process, signal);
}
int rank_tgkill(pid_t process, pid_t thread, int signal) {
  return thread == process && translated(process) != process
             ? ::tgkill(::getpid(), ::gettid(), signal)
             : ::tgkill(translated(process), translated(thread), signal);
}
int rank_setpgid(pid_t process, pid_t group) { return ::setpgid(translated(process), translated(group)); }
int rank_getpriority(__priority_which_t which, id_t id) {
  return ::getpriority(which, static_cast<id_t>(translated(static_cast<pid_t>(id))));
}
int rank_setpriority(__priority_which_t which, id_t id, int priority) {
  return ::setpriority(which, static_cast<id_t>(translated(static_cast<pid_t>(id))), priority);
}

int rank_prlimit(pid_t process, __rlimit_resource resource, const rlimit* wanted, rlimit* before) {
  return ::prlimit(translated(process), resource, wanted, before);
}
int rank_pidfd_open(pid_t process, unsigned flags) { return pidfd_open(translated(process), flags); }

/// Makes an override of a function whose first argument names a process.
template <auto Function, class Result, class... More>
Override of_process(const char* name, Result (*)(pid_t, More...)) {
  return {name,
          address_of(+[](pid_t process, More... more) { return Function(translated(process), more...); })};
}
#define SKEIN_OF_PROCESS(function) of_process<&::function>(#function, &::function)

}  // namespace

bool in_forked_child() { return ::getpid() != numbers.launcher; }
void remember_process_id() { numbers.launcher = ::getpid(); }
pid_t launcher_process() { return numbers.launcher; }

void set_process_numbers(pid_t starter, int ranks) {
  numbers.starter = starter;
  numbers.ranks = ranks;
}

pid_t number_of(const Rank& rank) { return first_of_job() + rank.id; }

pid_t in_system(const Rank& rank, pid_t process) {
  if (process == number_of(rank)) return launcher_process();
  return process == -number_of(rank) ? -launcher_process() : process;
}

const Overrides process_number_overrides({
    {"getpid", address_of(rank_getpid)},
    {"__getpid", address_of(rank_getpid)},
    {"gettid", address_of(rank_gettid)},
    {"getppid", address_of(rank_getppid)},
    {"kill", address_of(rank_kill)},
    {"tgkill", address_of(rank_tgkill)},
    {"setpgid", address_of(rank_setpgid)},
    {"__setpgid", address_of(rank_setpgid)},
    {"getpriority", address_of(rank_getpriority)},
    {"setpriority", address_of(rank_setpriority)},
    SKEIN_OF_PROCESS(killpg),
    SKEIN_OF_PROCESS(sigqueue),
    SKEIN_OF_PROCESS(getpgid),
    SKEIN_OF_PROCESS(getsid),
    SKEIN_OF_PROCESS(sched_getaffinity),
    SKEIN_OF_PROCESS(sched_setaffinity),
    SKEIN_OF_PROCESS(sched_getparam),
    SKEIN_OF_PROCESS(sched_setparam),
    SKEIN_OF_PROCESS(sched_getscheduler),
    SKEIN_OF_PROCESS(sched_setscheduler),
    SKEIN_OF_PROCESS(sched_rr_get_interval),
    SKEIN_OF_PROCESS(clock_getcpuclockid),
    SKEIN_OF_PROCESS(process_vm_readv),
    SKEIN_OF_PROCESS(process_vm_writev),
    {"prlimit", address_of(rank_prlimit)},
    {"prlimit64", address_of(rank_prlimit)},
    {"pidfd_open", address_of(rank_pidfd_open)},
});

}  // namespace skein::libc
