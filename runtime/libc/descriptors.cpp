// SPDX-License-Identifier: Apache-2.0
// open(), dup(), close() and relatives for ranks; exported under the C library's names like streams.cpp. The
// checked forms that -D_FORTIFY_SOURCE makes of them (__open_2 ...) are overrides of programs alone.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>

#include "runtime/base/log.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/file_locks.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/process_numbers.hpp"
#include "runtime/libc/program_file.hpp"
#include "runtime/libc/standard_input.hpp"

namespace skein::libc {
namespace {

int opened(int number) {
  if (Rank* rank = rank_with_table()) return adopt_descriptor(*rank, number);
  note_descriptor_of_process(number);
  return number;
}

/// Adopts the copy of a descriptor that `duplicate()` makes.
template <class Duplicate>
int copied(int original, Duplicate duplicate) {
  Rank* rank = rank_with_table();
  if (rank && refuse_foreign(*rank, original)) return -1;
  const int copy = duplicate();
  if (rank) return adopt_copy(*rank, original, copy);
  note_descriptor_of_process(copy);
  return copy;
}

bool takes_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

/// Returns the path for open(). If the program is to be written to, this is the link itself: the launcher,
/// which runs, gives ETXTBSY as the program does natively.
const char* followed(const char* path, int flags) {
  const bool reads = (flags & O_ACCMODE) == O_RDONLY && !(flags & (O_TRUNC | O_NOFOLLOW));
  return reads ? path_in_system(path) : link_in_system(path);
}

bool is_open(int number) {
  static const auto real = next_function<int(int, int, ...)>("fcntl");
  return real(number, F_GETFD) >= 0;
}

/// Returns true, with errno, if a rank must not put a copy at that number. The ranks of the PE share the
/// standard ones. Natively the number's former file is closed, so a number without a known owner is taken for
/// another's, too.
bool refuse_place(const Rank& rank, int number) {
  if (find_descriptor(rank, number) ? !is_foreign(rank, number) : !is_open(number)) return false;
  fiber::RuntimeScope runtime;
  SKEIN_WARN("rank %d tried to put a file at descriptor %d, which belongs to its PE: refused", rank.id,
             number);
  errno = is_standard_number(rank, number) ? ENOTSUP : EBADF;
  return true;
}

template <class Duplicate>
int copy_to(int original, int copy, Duplicate duplicate) {
  Rank* rank = rank_with_table();
  if (!rank) {
    const int result = duplicate();
    note_descriptor_of_process(result);
    return result;
  }
  if (refuse_foreign(*rank, original)) return -1;
  if (original == copy) return duplicate();
  if (refuse_place(*rank, copy)) return -1;
  const int result = duplicate();
  return result < 0 ? result : adopt_copy_at(*rank, original, result);
}

/// Closes a rank's own descriptors in the range; those of others stay.
int close_range_of(Rank& rank, unsigned first, unsigned last, int flags) {
  if (first > last || flags & ~(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC)) {
    errno = EINVAL;
    return -1;
  }
  const auto in_range = [=](const OpenDescriptor& d) {
    const auto number = static_cast<unsigned>(d.number);
    return !d.hidden && number >= first && number <= last;
  };
  auto& descriptors = file_table(rank).descriptors;
  if (flags & CLOSE_RANGE_CLOEXEC) {
    for (const OpenDescriptor& d : descriptors)
      if (in_range(d)) fcntl(d.number, F_SETFD, FD_CLOEXEC);
    return 0;
  }
  for (;;) {
    const auto found = std::find_if(descriptors.begin(), descriptors.end(), in_range);
    if (found == descriptors.end()) return 0;
    close(found->number);
  }
}

int rank_open_checked(const char* path, int flags) { return open(path, flags); }
int rank_openat_checked(int directory, const char* path, int flags) { return openat(directory, path, flags); }

}  // namespace
}  // namespace skein::libc

using skein::libc::followed;
using skein::libc::next_function;
using skein::libc::opened;
using skein::libc::rank_with_table;
using skein::libc::refuse_foreign;
using skein::libc::takes_mode;

extern "C" {

int open(const char* path, int flags, ...) {
  static const auto real = next_function<int(const char*, int, ...)>("open");
  mode_t mode = 0;
  if (takes_mode(flags)) {
    va_list args;
    va_start(args, flags);
    mode = va_arg(args, mode_t);
    va_end(args);
  }
  return opened(real(followed(path, flags), flags, mode));
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));

int openat(int directory, const char* path, int flags, ...) {
  static const auto real = next_function<int(int, const char*, int, ...)>("openat");
  mode_t mode = 0;
  if (takes_mode(flags)) {
    va_list args;
    va_start(args, flags);
    mode = va_arg(args, mode_t);
    va_end(args);
  }
  return opened(real(directory, followed(path, flags), flags, mode));
}
int openat64(int directory, const char* path, int flags, ...) __attribute__((alias("openat")));

int creat(const char* path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char* path, mode_t mode) { return creat(path, mode); }

int mkostemps(char* name, int suffix_length, int flags) {
  static const auto real = next_function<int(char*, int, int)>("mkostemps");
  return opened(real(name, suffix_length, flags));
}
int mkostemps64(char* name, int suffix_length, int flags) { return mkostemps(name, suffix_length, flags); }
int mkstemps(char* name, int suffix_length) { return mkostemps(name, suffix_length, 0); }
int mkstemps64(char* name, int suffix_length) { return mkostemps(name, suffix_length, 0); }
int mkostemp(char* name, int flags) { return mkostemps(name, 0, flags); }
int mkostemp64(char* name, int flags) { return mkostemps(name, 0, flags); }
int mkstemp(char* name) { return mkostemps(name, 0, 0); }
int mkstemp64(char* name) { return mkostemps(name, 0, 0); }

int dup(int descriptor) noexcept {
  static const auto real = next_function<int(int)>("dup");
  const skein::Rank* rank = rank_with_table();
  if (rank && descriptor == STDIN_FILENO && !skein::libc::has_standard_input(*rank))
    return open("/dev/null", O_RDONLY);
  return skein::libc::copied(descriptor, [=] { return real(descriptor); });
}
int dup2(int descriptor, int copy) noexcept {
  static const auto real = next_function<int(int, int)>("dup2");
  return skein::libc::copy_to(descriptor, copy, [=] { return real(descriptor, copy); });
}
int dup3(int descriptor, int copy, int flags) noexcept {
  static const auto real = next_function<int(int, int, int)>("dup3");
  return skein::libc::copy_to(descriptor, copy, [=] { return real(descriptor, copy, flags); });
}

int fcntl(int descriptor, int command, ...) {
  static const auto real = next_function<int(int, int, ...)>("fcntl");
  va_list args;
  va_start(args, command);
  void* argument = va_arg(args, void*);
  va_end(args);
  const bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (copies) return skein::libc::copied(descriptor, [=] { return real(descriptor, command, argument); });
  if (skein::Rank* rank = rank_with_table()) {
    if (refuse_foreign(*rank, descriptor)) return -1;
    if (skein::libc::is_lock_command(command))
      return skein::libc::rank_lock_command(descriptor, command, static_cast<struct flock*>(argument));
    if (command == F_SETOWN)
      return real(
          descriptor, command,
          skein::libc::in_system(*rank, static_cast<pid_t>(reinterpret_cast<std::intptr_t>(argument))));
    if (command == F_GETOWN && real(descriptor, command) == skein::libc::launcher_process())
      return skein::libc::number_of(*rank);
  }
  return real(descriptor, command, argument);
}
int fcntl64(int descriptor, int command, ...) __attribute__((alias("fcntl")));

int close(int descriptor) {
  static const auto real = next_function<int(int)>("close");
  skein::Rank* const rank = rank_with_table();
  if (!rank) {
    if (!skein::libc::program_rank()) skein::libc::note_closed_descriptor(descriptor);
    return real(descriptor);
  }
  if (skein::libc::is_standard_number(*rank, descriptor)) return 0;
  if (refuse_foreign(*rank, descriptor)) return -1;
  skein::libc::forget_descriptor(*rank, descriptor);
  return real(descriptor);
}

int close_range(unsigned first, unsigned last, int flags) noexcept {
  static const auto real = next_function<int(unsigned, unsigned, int)>("close_range");
  skein::Rank* rank = rank_with_table();
  return rank ? skein::libc::close_range_of(*rank, first, last, flags) : real(first, last, flags);
}
void closefrom(int first) noexcept { close_range(static_cast<unsigned>(std::max(first, 0)), ~0U, 0); }

}  // extern "C"

namespace skein::libc {

const Overrides descriptor_overrides({
    {"open", address_of(open)},
    {"open64", address_of(open64)},
    {"__open_2", address_of(rank_open_checked)},
    {"__open64_2", address_of(rank_open_checked)},
    {"openat", address_of(openat)},
    {"openat64", address_of(openat64)},
    {"__openat_2", address_of(rank_openat_checked)},
    {"__openat64_2", address_of(rank_openat_checked)},
    {"creat", address_of(creat)},
    {"creat64", address_of(creat64)},
    {"mkstemp", address_of(mkstemp)},
    {"mkstemp64", address_of(mkstemp64)},
    {"mkostemp", address_of(mkostemp)},
    {"mkostemp64", address_of(mkostemp64)},
    {"mkstemps", address_of(mkstemps)},
    {"mkstemps64", address_of(mkstemps64)},
    {"mkostemps", address_of(mkostemps)},
    {"mkostemps64", address_of(mkostemps64)},
    {"dup", address_of(dup)},
    {"dup2", address_of(dup2)},
    {"dup3", address_of(dup3)},
    {"fcntl", address_of(fcntl)},
    {"fcntl64", address_of(fcntl64)},
    {"close", address_of(close)},
    {"close_range", address_of(close_range)},
    {"closefrom", address_of(closefrom)},
});

}  // namespace skein::libc
