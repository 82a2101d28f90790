// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/standard_output.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "runtime/base/log.hpp"
#include "runtime/base/status_line.hpp"

namespace skein {
namespace {

/// Time for other processes: Open MPI's launcher gives processes a second to end, but kills them as soon as
/// the first has ended.
constexpr timespec kOthersTurn{.tv_sec = 0, .tv_nsec = 200'000'000};

/// Writes the unfinished line without waiting for the stream's lock, which the interrupted code may hold.
/// Whole lines are that code's to write, or are written already.
void write_unfinished_line(int signal) {
  erase_status_line();
  const char* const begin = stdout->_IO_write_base;
  const auto bytes = static_cast<std::size_t>(stdout->_IO_write_ptr - begin);
  if (bytes > 0 && !memchr(begin, '\n', bytes)) (void)!write(STDOUT_FILENO, begin, bytes);
  nanosleep(&kOthersTurn, nullptr);
  raise(signal);
}

}  // namespace

void write_pending_output() {
  const char* const begin = stdout->_IO_write_base;
  const char* const end = stdout->_IO_write_ptr;
  if (end > begin) (void)!write(STDOUT_FILENO, begin, static_cast<std::size_t>(end - begin));
}

bool finish_standard_output() {
  const int error = fflush(stdout) == 0 ? 0 : errno;
  if (error == 0 && !ferror(stdout)) return true;
  log_line("skein: standard output cannot be written: %s; what was printed is not complete",
           error ? strerror(error) : "see whether its disk is full");
  return false;
}

std::int64_t output_bytes() {
  struct stat status;
  if (fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
  const bool appends = fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND;
  return appends ? status.st_size : lseek(STDOUT_FILENO, 0, SEEK_CUR);
}

void take_output_back(std::int64_t bytes) {
  if (bytes < 0) return;
  fflush(stdout);
  struct stat status;
  if (fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= bytes) return;
  if (ftruncate(STDOUT_FILENO, bytes) == 0) (void)lseek(STDOUT_FILENO, bytes, SEEK_SET);
}

void keep_unfinished_lines() {
  struct sigaction action {};
  action.sa_handler = write_unfinished_line;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

}  // namespace skein
