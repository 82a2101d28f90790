// SPDX-License-Identifier: Apache-2.0
// To be preloaded: makes the system calls that write a checkpoint fail, one after the other. Only calls whose
// path contains $FAILING_IN are affected. Every second write() of these is short, and every third is
// interrupted.
//
//   FAILING_LOG=FILE: in the n-th state after the first, the n-th call fails, and FILE gets a line with its
//   name
//
//   FAILING_KILL=N: the N-th call kills the process
//
//   FAILING_HOLD=FILE: a write() waits until FILE exists
//
//   FAILING_FULL=FILE: a write() finds the disk full while FILE exists
//
//   FAILING_COPIES=FILE: there is no memory for copies of pages while FILE exists
//
//   RECORDED=FILE: FILE gets the effects of the calls, of all processes in one order: names and entries
//   before they change, so that a process that sees the change is recorded later; data after the call, and
//   fsync() when it has returned. Each record is a line, "CALL BYTES PATH OTHER", and BYTES bytes
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

static const char* path_of(int descriptor, char path[4096]) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(name, path, 4095);
  path[length < 0 ? 0 : length] = '\0';
  return path;
}

static int counts_file(int descriptor) {
  char path[4096];
  return counts(path_of(descriptor, path));
}

/// Counts a call. Returns true if it must fail, and then sets errno.
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

static void record(const char* call, const char* path, const char* other, const void* data, size_t bytes) {
  const char* const to = getenv("RECORDED");
  if (!to) return;
  const int file = REAL(open)(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const size_t room = strlen(call) + strlen(path) + strlen(other) + 32;
  char* const text = malloc(room + bytes);
  const int line = snprintf(text, room, "%s %zu %s %s\n", call, bytes, path, other);
  memcpy(text + line, data, bytes);
  if (REAL(write)(file, text, (size_t)line + bytes) != line + (ssize_t)bytes) abort();
  REAL(close)(file);
  free(text);
}

static void record_name(const char* call, const char* path) {
  if (counts(path)) record(call, path, "", "", 0);
}

/// Records a call on an open file that is affected.
static void record_file(const char* call, int descriptor, const void* data, size_t bytes) {
  char path[4096];
  if (counts_file(descriptor)) record(call, path_of(descriptor, path), "", data, bytes);
}

int open(const char* path, int flags, ...) {
  if (flags & O_CREAT) record_name("create", path);
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
  // The number of later writes varies with the compression of pages.
  if (writes < 2 && fails("write", ENOSPC)) return -1;
  if (++writes % 3 == 0) {
    errno = EINTR;
    return -1;
  }
  const ssize_t written = REAL(write)(file, data, writes % 2 && bytes > 1 ? bytes / 2 : bytes);
  if (written > 0) record_file("write", file, data, (size_t)written);
  return written;
}

int fsync(int file) {
  const int status = counts_file(file) && fails("fsync", EIO) ? -1 : REAL(fsync)(file);
  if (status == 0) record_file("fsync", file, "", 0);
  return status;
}

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
  record_name("mkdir", path);
  return counts(path) && fails("mkdir", ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}

int link(const char* from, const char* to) {
  if (counts(to)) record("link", from, to, "", 0);
  return REAL(link)(from, to);
}

int unlink(const char* path) {
  record_name("unlink", path);
  return REAL(unlink)(path);
}

int rename(const char* from, const char* to) {
  if (counts(from)) record("rename", from, to, "", 0);
  return counts(from) && fails("rename", EIO) ? -1 : REAL(rename)(from, to);
}

FILE* fopen(const char* path, const char* mode) {
  if (*mode == 'w') record_name("create", path);
  return counts(path) && fails("fopen", EACCES) ? NULL : REAL(fopen)(path, mode);
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  if (counts_file(fileno(file)) && fails("fwrite", ENOSPC)) return REAL(fwrite)(data, size, count / 2, file);
  record_file("write", fileno(file), data, size * count);
  return REAL(fwrite)(data, size, count, file);
}

int fclose(FILE* file) {
  const int failed = counts_file(fileno(file)) && fails("fclose", ENOSPC), status = REAL(fclose)(file);
  if (failed) errno = ENOSPC;
  return failed ? EOF : status;
}

int unlinkat(int folder, const char* name, int flags) {
  char path[4096];
  if (counts_file(folder)) record("unlink", path_of(folder, path), name, "", 0);
  return counts_file(folder) && fails("unlinkat", EBUSY) ? -1 : REAL(unlinkat)(folder, name, flags);
}
