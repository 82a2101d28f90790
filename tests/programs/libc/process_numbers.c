// SPDX-License-Identifier: Apache-2.0
// `process_numbers`: getpid() differs in each rank, is the same wherever the rank is, and is no process's
// number; calls that take a process's number take it for the process that the rank runs in.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

extern char** environ;

static pid_t mine;
static volatile sig_atomic_t caught;
static void catch_signal(int signal) { caught = signal; }

/// Returns the process's number by the kernel.
static pid_t process(void) {
  char text[32] = "";
  CHECK(readlink("/proc/self", text, sizeof text - 1) > 0);
  return atoi(text);
}

static void is_each_ones(void) {
  pid_t* all = malloc((size_t)rank_count * sizeof *all);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < rank_count; ++i) CHECK(all[i] > 0 && (i == my_rank) == (all[i] == mine));
  FILE* file = fopen("/proc/sys/kernel/pid_max", "r");
  int most = 0;
  CHECK(file && fscanf(file, "%d", &most) == 1 && fclose(file) == 0 && mine > most);
  // kill() finds the owner of a lock, whichever rank it is; its signal reaches no process.
  for (int i = 0; i < rank_count; ++i) CHECK(kill(all[i], 0) == 0);
  if (rank_count > 1) CHECK(kill(all[(my_rank + 1) % rank_count], SIGKILL) == -1 && errno == EPERM);
  CHECK(kill(mine + 4 * 509 + 100 * rank_count, SIGKILL) == -1 && errno == ESRCH);
  free(all);
}

/// Writes a scratch file named by this number, as programs do that think of no other rank.
static void scratch_files(void) {
  char name[64];
  int whose = -1;
  snprintf(name, sizeof name, "scratch.%d", (int)getpid());
  FILE* file = fopen(name, "wx");
  CHECK(file && fprintf(file, "%d", my_rank) > 0 && fclose(file) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  maybe_move();
  snprintf(name, sizeof name, "scratch.%d", (int)getpid());
  file = fopen(name, "r");
  CHECK(file && fscanf(file, "%d", &whose) == 1 && whose == my_rank && fclose(file) == 0 &&
        remove(name) == 0);
}

static void signals(void) {
  const int numbers[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGRTMIN};
  CHECK(signal(SIGUSR1, catch_signal) != SIG_ERR && signal(SIGUSR2, catch_signal) != SIG_ERR);
  struct sigaction by_action = {.sa_handler = catch_signal}, before_hangup, before_queued;
  CHECK(sigaction(SIGHUP, &by_action, &before_hangup) == 0);
  CHECK(sigaction(SIGRTMIN, &by_action, &before_queued) == 0);
  for (int i = 0; i < 4; ++i) {
    caught = 0;
    const union sigval value = {0};
    CHECK((i == 0   ? kill(getpid(), numbers[i])
           : i == 1 ? raise(numbers[i])
           : i == 2 ? tgkill(getpid(), gettid(), numbers[i])
                    : sigqueue(getpid(), numbers[i], value)) == 0);
    CHECK(caught == numbers[i]);
  }
  sigaction(SIGHUP, &before_hangup, NULL);
  sigaction(SIGRTMIN, &before_queued, NULL);
}

static void settings(void) {
  CHECK(getpgid(mine) == getpgrp() && getsid(mine) == getsid(0));
  cpu_set_t of_number, of_caller;
  CHECK(sched_getaffinity(mine, sizeof of_number, &of_number) == 0);
  CHECK(sched_getaffinity(0, sizeof of_caller, &of_caller) == 0 && CPU_EQUAL(&of_number, &of_caller));
  CHECK(sched_setaffinity(mine, sizeof of_number, &of_number) == 0);
  CHECK(sched_getscheduler(mine) == sched_getscheduler(0));
  CHECK(getpriority(PRIO_PROCESS, (id_t)mine) == getpriority(PRIO_PROCESS, 0));
  struct rlimit limits, of_process;
  CHECK(prlimit(mine, RLIMIT_CORE, NULL, &limits) == 0 && getrlimit(RLIMIT_CORE, &of_process) == 0);
  CHECK(limits.rlim_cur == of_process.rlim_cur && limits.rlim_max == of_process.rlim_max);
  clockid_t clock;
  struct timespec used;
  CHECK(clock_getcpuclockid(mine, &clock) == 0 && clock_gettime(clock, &used) == 0);
  int value = 17 + my_rank, copy = 0;
  struct iovec here = {&copy, sizeof copy}, there = {&value, sizeof value};
  if (process_vm_readv(mine, &here, 1, &there, 1, 0) == sizeof copy) CHECK(copy == value);
  const int file = open(".", O_RDONLY | O_DIRECTORY);
  CHECK(fcntl(file, F_SETOWN, mine) == 0 && fcntl(file, F_GETOWN) == mine && fcntl(file, F_SETOWN, 0) == 0);
  CHECK(close(file) == 0);
}

static void folder(void) {
  char name[64], line[256];
  int found = 0;
  snprintf(name, sizeof name, "/proc/%d/status", (int)mine);
  FILE* file = fopen(name, "r");
  CHECK(file);
  while (fgets(line, sizeof line, file)) sscanf(line, "Pid: %d", &found);
  CHECK(fclose(file) == 0 && found == process());
  struct stat by_number, by_name;
  snprintf(name, sizeof name, "/proc/%d", (int)mine);
  CHECK(stat(name, &by_number) == 0 && S_ISDIR(by_number.st_mode) && access(name, R_OK) == 0);
  snprintf(name, sizeof name, "/proc/%d/task", (int)mine);
  DIR* tasks = opendir(name);
  CHECK(tasks && readdir(tasks) && closedir(tasks) == 0);
  snprintf(name, sizeof name, "/proc/%d/cwd", (int)mine);
  CHECK(stat(name, &by_number) == 0 && stat(".", &by_name) == 0 && by_number.st_ino == by_name.st_ino);
}

/// A child has a number from the system, and its parent is the rank.
static void children(void) {
  char* const words[] = {"sh", "-c", "test $$ -lt 4194304", NULL};
  pid_t child;
  int status = -1;
  CHECK(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0 && child != mine);
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  child = vfork();
  if (child == 0) _exit(getpid() != mine && getppid() == mine ? 5 : 6);
  CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
  CHECK(waitpid(mine, &status, 0) == -1 && errno == ECHILD);
}

int main(int argc, char** argv) {
  mine = getpid();
  begin(&argc, &argv);
  is_each_ones();
  for (int round = 0; round < 4; ++round) {
    CHECK(getpid() == mine && gettid() == mine && syscall(SYS_getpid) == mine && syscall(SYS_gettid) == mine);
    signals();
    settings();
    folder();
    children();
    scratch_files();
  }
  finish("process_numbers");
  return 0;
}
