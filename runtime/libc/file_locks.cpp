// SPDX-License-Identifier: Apache-2.0
// Locks on files. The system gives locks of fcntl() and lockf() to the process: the ranks of a PE would share
// them, and a rank that moved would leave its own behind. So a rank's are locks of the open file description
// (fcntl_locking(2)), like those of flock(): each open() has its own, and they move with the descriptor.
// While a rank waits for a lock, which another rank of its PE may hold, the others run.
//
//   flock(), F_OFD_SETLK    of the description: unchanged, but for waiting
//   F_SETLK, lockf() ...    of the process:     F_OFD_SETLK
#include "runtime/libc/file_locks.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "runtime/base/error.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/trying.hpp"

namespace skein::libc {
namespace {

int real_fcntl(int descriptor, int command, struct flock* lock) {
  static const auto real = next_function<int(int, int, ...)>("fcntl");
  return real(descriptor, command, lock);
}

/// Tries until it succeeds or fails for another reason than that the lock is held elsewhere.
template <class Try>
int wait_for_lock(Try attempt) {
  return try_until(attempt, [] { return errno == EAGAIN || errno == EACCES; });
}

int set_lock(int descriptor, const struct flock& wanted) {
  struct flock lock = wanted;
  lock.l_pid = 0;  // otherwise EINVAL
  return real_fcntl(descriptor, F_OFD_SETLK, &lock);
}

int get_lock(int descriptor, struct flock* wanted) {
  struct flock lock = *wanted;
  lock.l_pid = 0;
  const int result = real_fcntl(descriptor, F_OFD_GETLK, &lock);
  if (result == 0) *wanted = lock;
  return result;
}

}  // namespace

bool is_lock_command(int command) {
  switch (command) {
    case F_SETLK:
    case F_SETLKW:
    case F_GETLK:
    case F_OFD_SETLKW:
      return true;
    default:
      return false;
  }
}

int rank_lock_command(int descriptor, int command, struct flock* lock) {
  if (!lock) {
    errno = EFAULT;
    return -1;
  }
  if (command == F_GETLK) return get_lock(descriptor, lock);
  if (command == F_SETLK) return set_lock(descriptor, *lock);
  return wait_for_lock([=] { return set_lock(descriptor, *lock); });
}

bool is_locked(int descriptor) {
  std::ifstream info(format("/proc/self/fdinfo/%d", descriptor));
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("lock:")) return true;
  return false;
}

}  // namespace skein::libc

using skein::libc::next_function;
using skein::libc::program_rank;

extern "C" {

int flock(int descriptor, int operation) noexcept {
  static const auto real = next_function<int(int, int)>("flock");
  if (!program_rank() || operation & (LOCK_NB | LOCK_UN)) return real(descriptor, operation);
  return skein::libc::wait_for_lock([=] { return real(descriptor, operation | LOCK_NB); });
}

int lockf(int descriptor, int command, off_t bytes) {
  static const auto real = next_function<int(int, int, off_t)>("lockf");
  if (!program_rank()) return real(descriptor, command, bytes);
  struct flock lock = {};
  lock.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
  lock.l_whence = SEEK_CUR;
  lock.l_len = bytes;
  switch (command) {
    case F_ULOCK:
    case F_TLOCK:
      return skein::libc::rank_lock_command(descriptor, F_SETLK, &lock);
    case F_LOCK:
      return skein::libc::rank_lock_command(descriptor, F_SETLKW, &lock);
    case F_TEST:
      if (skein::libc::rank_lock_command(descriptor, F_GETLK, &lock) != 0) return -1;
      if (lock.l_type == F_UNLCK) return 0;
      errno = EACCES;
      return -1;
    default:
      errno = EINVAL;
      return -1;
  }
}
int lockf64(int descriptor, int command, off64_t bytes) { return lockf(descriptor, command, bytes); }

}  // extern "C"

namespace skein::libc {

const Overrides file_lock_overrides({
    {"flock", address_of(flock)},
    {"lockf", address_of(lockf)},
    {"lockf64", address_of(lockf64)},
});

}  // namespace skein::libc
