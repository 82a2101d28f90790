// SPDX-License-Identifier: Apache-2.0
// Children of ranks: they get the rank's environment, and are looked for along its PATH, though the C library
// knows the process's only. (Their working directory is the rank's in any case: working_directory.cpp.)
//
// system(), posix_spawnp() and the like return to their caller, so the rank's environment is the process's
// while they run. Those of the exec family do not return, and in a child of vfork() the memory is its
// parent's: nothing may be left changed there, no scope be open, and no memory be allocated. What they look
// for along PATH they find here.
#include <alloca.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <string_view>

#include "runtime/arena/arena.hpp"
#include "runtime/base/log.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/environment.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/program_file.hpp"
#include "runtime/libc/settings.hpp"
#include "runtime/libc/waited_children.hpp"

namespace skein::libc {
namespace {

/// In a node-shared arena a child would run on its parent's very stack. vfork(), posix_spawn(), system() and
/// popen() are safe: there the parent waits, or the child has a stack of its own.
bool refuses_fork() {
  const Rank& rank = calling_rank("fork");
  if (arena::backing == arena::Backing::private_pages) return false;
  fiber::RuntimeScope runtime;
  SKEIN_WARN(
      "rank %d called fork(), which works only with --arena private; posix_spawn(), system() and "
      "popen() work always",
      rank.id);
  errno = ENOTSUP;
  return true;
}
pid_t rank_fork() { return refuses_fork() ? -1 : note_child(fork_with_handlers(fork)); }
pid_t rank__Fork() { return refuses_fork() ? -1 : note_child(_Fork()); }

/// Whether exec*() would replace the PE with all its ranks: fails with a warning then.
bool would_replace_pe() {
  const Rank* const rank = rank_with_table();
  if (!rank) return false;
  fiber::RuntimeScope runtime;
  SKEIN_WARN(
      "rank %d called an exec function without fork() or vfork(): it would replace its PE with all ranks "
      "there; posix_spawn(), system() and popen() work",
      rank->id);
  errno = ENOTSUP;
  return true;
}

const char* value_of(char* const* environment, std::string_view name) {
  for (; environment && *environment; ++environment)
    if (strncmp(*environment, name.data(), name.size()) == 0 && (*environment)[name.size()] == '=')
      return *environment + name.size() + 1;
  return nullptr;
}

int run_file(const char* file, char* const* argv, char* const* environment) {
  static const auto real = next_function<int(const char*, char* const*, char* const*)>("execve");
  return real(path_in_system(file), argv, environment);
}

/// What is no program of the system's is given to the shell (POSIX exec, ENOEXEC).
int execute(const char* file, char* const* argv, char* const* environment) {
  run_file(file, argv, environment);
  if (errno != ENOEXEC) return -1;
  const std::size_t arguments = null_ended_length(argv);
  const auto shell_argv = static_cast<char**>(alloca((arguments + 3) * sizeof(char*)));
  shell_argv[0] = const_cast<char*>("/bin/sh");
  shell_argv[1] = const_cast<char*>(file);
  for (std::size_t i = 1; i <= arguments; ++i) shell_argv[i + 1] = argv[i];
  shell_argv[arguments == 0 ? 2 : arguments + 1] = nullptr;
  return run_file("/bin/sh", shell_argv, environment);
}

bool goes_on_looking(int error) {
  return error == EACCES || error == ENOENT || error == ESTALE || error == ENOTDIR || error == ENODEV ||
         error == ETIMEDOUT;
}

/// `file` along the PATH of the rank that calls.
int execute_along_path(Rank& rank, const char* file, char* const* argv, char* const* environment) {
  if (*file == '\0') {
    errno = ENOENT;
    return -1;
  }
  if (strchr(file, '/')) return execute(file, argv, environment);
  const char* path = value_of(environment_of(rank), "PATH");
  if (!path) path = "/bin:/usr/bin";  // as the C library does
  bool forbidden = false;
  for (std::string_view rest = path;;) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    char name[PATH_MAX];
    if (directory.size() + 1 + strlen(file) < sizeof name) {
      char* end = name + directory.copy(name, directory.size());
      if (!directory.empty()) *end++ = '/';
      strcpy(end, file);
      execute(name, argv, environment);
      if (!goes_on_looking(errno)) return -1;
      forbidden |= errno == EACCES;
    }
    if (directory.size() == rest.size()) break;
    rest.remove_prefix(directory.size() + 1);
  }
  errno = forbidden ? EACCES : ENOENT;
  return -1;
}

int spawned(int error, const pid_t& started, pid_t* child) {
  if (error == 0) note_child(started);
  if (error == 0 && child) *child = started;
  return error;
}

/// Counts the arguments of forms that take them one by one, with the null at the end.
std::size_t count_with_null(const char* first, va_list rest) {
  std::size_t n = 1;
  for (const char* each = first; each; each = va_arg(rest, const char*)) ++n;
  return n;
}
/// `first` and those up to the null go to `argv`; `args` stands behind it then.
#define SKEIN_TAKE_ARGUMENTS(argv, first, args)                                                \
  va_list args;                                                                                \
  va_start(args, first);                                                                       \
  const auto argv = static_cast<char**>(alloca(count_with_null(first, args) * sizeof(char*))); \
  va_end(args);                                                                                \
  va_start(args, first);                                                                       \
  argv[0] = const_cast<char*>(first);                                                          \
  for (std::size_t i = 0; argv[i]; ++i) argv[i + 1] = va_arg(args, char*)

}  // namespace
}  // namespace skein::libc

using namespace skein::libc;

extern "C" {

int execve(const char* file, char* const* argv, char* const* environment) noexcept {
  return would_replace_pe() ? -1 : run_file(file, argv, environment);
}
int fexecve(int descriptor, char* const* argv, char* const* environment) noexcept {
  static const auto real = next_function<int(int, char* const*, char* const*)>("fexecve");
  return would_replace_pe() ? -1 : real(descriptor, argv, environment);
}
int execv(const char* file, char* const* argv) noexcept {
  skein::Rank* const rank = program_rank();
  return execve(file, argv, rank ? environment_of(*rank) : environ);
}
int execvpe(const char* file, char* const* argv, char* const* environment) noexcept {
  static const auto real = next_function<int(const char*, char* const*, char* const*)>("execvpe");
  if (would_replace_pe()) return -1;
  skein::Rank* const rank = program_rank();
  return rank ? execute_along_path(*rank, file, argv, environment) : real(file, argv, environment);
}
int execvp(const char* file, char* const* argv) noexcept {
  skein::Rank* const rank = program_rank();
  return execvpe(file, argv, rank ? environment_of(*rank) : environ);
}
int execl(const char* file, const char* first, ...) noexcept {
  SKEIN_TAKE_ARGUMENTS(argv, first, args);
  va_end(args);
  return execv(file, argv);
}
int execlp(const char* file, const char* first, ...) noexcept {
  SKEIN_TAKE_ARGUMENTS(argv, first, args);
  va_end(args);
  return execvp(file, argv);
}
int execle(const char* file, const char* first, ...) noexcept {
  SKEIN_TAKE_ARGUMENTS(argv, first, args);
  char* const* const environment = va_arg(args, char* const*);
  va_end(args);
  return execve(file, argv, environment);
}

int system(const char* command) {
  static const auto real = next_function<int(const char*)>("system");
  const EnvironmentScope environment(program_rank());
  return real(command);
}
int posix_spawn(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const* argv, char* const* variables) {
  static const auto real =
      next_function<int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                        char* const*, char* const*)>("posix_spawn");
  pid_t started = 0;
  return spawned(real(&started, path_in_system(file), actions, attributes, argv, variables), started, child);
}
int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const* argv, char* const* variables) {
  static const auto real =
      next_function<int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                        char* const*, char* const*)>("posix_spawnp");
  file = path_in_system(file);  // before the scope, in which nobody is a rank's program
  const EnvironmentScope environment(program_rank());
  pid_t started = 0;
  return spawned(real(&started, file, actions, attributes, argv, variables), started, child);
}

}  // extern "C"

namespace skein::libc {

std::span<const Override> children_overrides() {
  static const Override table[] = {
      {"fork", address_of(rank_fork)},   {"__fork", address_of(rank_fork)},
      {"execve", address_of(execve)},    {"fexecve", address_of(fexecve)},
      {"execv", address_of(execv)},      {"execvp", address_of(execvp)},
      {"execvpe", address_of(execvpe)},  {"execl", address_of(execl)},
      {"execlp", address_of(execlp)},    {"execle", address_of(execle)},
      {"system", address_of(::system)},  {"posix_spawnp", address_of(posix_spawnp)},
      {"_Fork", address_of(rank__Fork)}, {"posix_spawn", address_of(posix_spawn)},
  };
  return table;
}

}  // namespace skein::libc
