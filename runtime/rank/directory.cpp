// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein {

ProcessDirectories process_directories;

namespace {

/// Opens the process's directory before the process leaves it. Returns false with errno on errors.
bool open_process_directory() {
  if (process_directories.at_start.descriptor >= 0) return true;
  const int descriptor = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return false;
  process_directories.at_start = {status.st_dev, status.st_ino, descriptor};
  return true;
}

}  // namespace

void use_process_directory() {
  if (process_directories.in_force.is({})) return;
  SKEIN_CHECK(fchdir(process_directories.at_start.descriptor) == 0,
              "fchdir to the directory of the start: %s", strerror(errno));
  process_directories.in_force = {};
}

void use_directory(const Rank& rank) {
  if (rank.directory.is({})) return use_process_directory();
  if (!open_process_directory() || fchdir(rank.directory.descriptor) != 0)
    end_job_plainly(rank, 1, "cannot go back to its working directory: %s", strerror(errno));
  process_directories.in_force = rank.directory;
}

bool enter_directory(Rank& rank, int descriptor) {
  struct stat status;
  if (!open_process_directory() || fstat(descriptor, &status) != 0 || fchdir(descriptor) != 0) return false;
  rank.directory = {status.st_dev, status.st_ino, descriptor};
  if (rank.directory.is(process_directories.at_start)) rank.directory = {};
  process_directories.in_force = rank.directory;
  look_at_each_switch();
  return true;
}

}  // namespace skein
