// SPDX-License-Identifier: Apache-2.0
// chdir() of a rank: runtime/rank/directory.hpp says how each has a working directory of its own. Functions
// that return it or begin at it need nothing here, since while a rank runs it is the process's: getcwd(),
// open(), libraries' calls of either, children.
#include <fcntl.h>
#include <fts.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"

namespace skein::libc {
namespace {

/// Enters the directory `descriptor`, or fails with errno if it is -1; takes the descriptor over.
int go_to(Rank& rank, int descriptor) {
  if (descriptor < 0) return -1;
  fiber::RuntimeScope runtime;
  const int before = rank.directory.descriptor;
  descriptor = adopt_hidden(rank, descriptor);
  const bool entered = enter_directory(rank, descriptor);
  const int error_number = errno;
  const int unused = entered ? before : descriptor;
  if (unused >= 0) drop_hidden(rank, unused);
  if (entered && rank.directory.descriptor < 0) drop_hidden(rank, descriptor);
  errno = error_number;
  return entered ? 0 : -1;
}

constexpr int kEnterable = O_PATH | O_DIRECTORY | O_CLOEXEC;

/// Opens without changes of directory: programs reach the files by either of the names that it gives.
FTS* rank_fts_open(char* const* paths, int options, int (*compare)(const FTSENT**, const FTSENT**)) {
  return fts_open(paths, options | FTS_NOCHDIR, compare);
}
FTS64* rank_fts64_open(char* const* paths, int options, int (*compare)(const FTSENT64**, const FTSENT64**)) {
  return fts64_open(paths, options | FTS_NOCHDIR, compare);
}

}  // namespace
}  // namespace skein::libc

using skein::libc::next_function;
using skein::libc::rank_with_table;

extern "C" {

int chdir(const char* path) noexcept {
  static const auto real = next_function<int(const char*)>("chdir");
  static const auto real_open = next_function<int(const char*, int, ...)>("open");
  skein::Rank* rank = rank_with_table();
  return rank ? skein::libc::go_to(*rank, real_open(path, skein::libc::kEnterable)) : real(path);
}

int fchdir(int directory) noexcept {
  static const auto real = next_function<int(int)>("fchdir");
  static const auto real_openat = next_function<int(int, const char*, int, ...)>("openat");
  skein::Rank* rank = rank_with_table();
  if (!rank) return real(directory);
  if (directory < 0) {  // fchdir() does not take AT_FDCWD
    errno = EBADF;
    return -1;
  }
  if (skein::libc::refuse_foreign(*rank, directory)) return -1;
  return skein::libc::go_to(*rank, real_openat(directory, ".", skein::libc::kEnterable));
}

}  // extern "C"

namespace skein::libc {

const Overrides working_directory_overrides({
    {"chdir", address_of(chdir)},
    {"fchdir", address_of(fchdir)},
    {"fts_open", address_of(rank_fts_open)},
    {"fts64_open", address_of(rank_fts64_open)},
});

}  // namespace skein::libc
