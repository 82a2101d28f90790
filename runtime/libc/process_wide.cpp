// SPDX-License-Identifier: Apache-2.0
// What acts on the whole PE though a rank means only itself: new processes and the working directory.
#include <unistd.h>

#include <cerrno>

#include "runtime/arena/arena.hpp"
#include "runtime/base/log.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"

namespace skein::libc {
namespace {

/// In a node-shared arena a child would run on its parent's very stack. vfork(), posix_spawn(), system() and
/// popen() are safe: there the parent waits, or the child has a stack of its own.
pid_t rank_fork() {
  const Rank& rank = calling_rank("fork");
  if (arena::backing == arena::Backing::private_pages) return fork();
  fiber::RuntimeScope runtime;
  SKEIN_WARN(
      "rank %d called fork(), which works only with --arena private; posix_spawn(), system() and "
      "popen() work always",
      rank.id);
  errno = ENOTSUP;
  return -1;
}

void note_change_of_directory(const Rank& rank) {
  static bool said = false;
  if (said) return;
  said = true;
  fiber::RuntimeScope runtime;
  SKEIN_WARN("rank %d changed the working directory: this acts on all ranks of its PE", rank.id);
}
int rank_chdir(const char* path) {
  note_change_of_directory(calling_rank("chdir"));
  return chdir(path);
}
int rank_fchdir(int directory) {
  note_change_of_directory(calling_rank("fchdir"));
  return fchdir(directory);
}

}  // namespace

std::span<const Override> process_wide_overrides() {
  static const Override table[] = {
      {"fork", address_of(rank_fork)},
      {"__fork", address_of(rank_fork)},
      {"chdir", address_of(rank_chdir)},
      {"fchdir", address_of(rank_fchdir)},
  };
  return table;
}

}  // namespace skein::libc
