// SPDX-License-Identifier: Apache-2.0
// To be preloaded: the system calls by which a checkpoint is written fail, one after the other. Those count
// whose path contains $FAILING_IN; others are as ever. A write() of them is short every second time, and
// interrupted every third.
//
//   FAILING_LOG=FILE: of the n-th state behind the first, the n-th call fails, and FILE gets a line with its
//   name
//
//   FAILING_KILL=N: instead of the N-th call the process is killed
//
//   FAILING_HOLD=FILE: a write() waits until FILE is there
//
//   FAILING_FULL=FILE: a write() finds the disk full while FILE is there
//
//   FAILING_COPIES=FILE: there is no memory for copies of pages while FILE is there
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls, states, calls_of_state, call_to_fail = 1, writes;  // writes: of this state
static int one_has_failed =
    1;  // of this state; none before the second one, as the first is larger than all others

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int counts(const char* path) {
  const char* const in = getenv("FAILING_IN");
  return in && path && strstr(path, in);
}

static int counts_file(int descriptor) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return counts(path);
}

/// The next call, which counts: whether it is to fail, and then sets errno.
static int fails(const char* name, int error) {
  const char *const kill_at = getenv("FAILING_KILL"), *const log = getenv("FAILING_LOG");
  ++calls;
  ++calls_of_state;
  if (kill_at && calls == atol(kill_at)) kill(getpid(), SIGKILL);
  if (!log || one_has_failed || calls_of_state != call_to_fail) return 0;
  one_has_failed = 1;
  ++call_to_fail;
  const int file = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  dprintf(file, "%s\n", name);
  REAL(close)(file);
  errno = error;
  return 1;
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;
  va_end(more);
  return counts(path) && fails("open", EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

static int is_there(const char* variable) {
  const char* const file = getenv(variable);
  return file && access(file, F_OK) == 0;
}

void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  const int is_for_copies = !address && flags == (MAP_PRIVATE | MAP_ANONYMOUS) && bytes % (2 << 20) == 0;
  if (is_for_copies && is_there("FAILING_COPIES")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return REAL(mmap)(address, bytes, protection, flags, file, offset);
}

ssize_t write(int file, const void* data, size_t bytes) {
  if (!counts_file(file)) return REAL(write)(file, data, bytes);
  while (getenv("FAILING_HOLD") && !is_there("FAILING_HOLD")) usleep(1000);
  if (is_there("FAILING_FULL")) {
    errno = ENOSPC;
    return -1;
  }
  // Of all the others there are more or fewer, as pages compress.
  if (writes < 2 && fails("write", ENOSPC)) return -1;
  if (++writes % 3 == 0) {
    errno = EINTR;
    return -1;
  }
  return REAL(write)(file, data, writes % 2 && bytes > 1 ? bytes / 2 : bytes);
}

int fsync(int file) { return counts_file(file) && fails("fsync", EIO) ? -1 : REAL(fsync)(file); }

int close(int file) {
  const int failed = counts_file(file) && fails("close", EDQUOT), status = REAL(close)(file);
  if (failed) errno = EDQUOT;
  return failed ? -1 : status;
}

int mkdir(const char* path, mode_t mode) {
  if (counts(path)) {
    calls_of_state = writes = 0;
    one_has_failed = ++states == 1;
  }
  return counts(path) && fails("mkdir", ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}

int rename(const char* from, const char* to) {
  return counts(from) && fails("rename", EIO) ? -1 : REAL(rename)(from, to);
}

FILE* fopen(const char* path, const char* mode) {
  return counts(path) && fails("fopen", EACCES) ? NULL : REAL(fopen)(path, mode);
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  if (counts_file(fileno(file)) && fails("fwrite", ENOSPC)) return REAL(fwrite)(data, size, count / 2, file);
  return REAL(fwrite)(data, size, count, file);
}

int fclose(FILE* file) {
  const int failed = counts_file(fileno(file)) && fails("fclose", ENOSPC), status = REAL(fclose)(file);
  if (failed) errno = ENOSPC;
  return failed ? EOF : status;
}

int unlinkat(int folder, const char* name, int flags) {
  return counts_file(folder) && fails("unlinkat", EBUSY) ? -1 : REAL(unlinkat)(folder, name, flags);
}
