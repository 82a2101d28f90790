// SPDX-License-Identifier: Apache-2.0
// Children of ranks: they get the rank's environment, and are searched along its PATH, though the C library
// knows the process's only. (Their working directory is the rank's in any case: working_directory.cpp.)
//
// system(), posix_spawnp() and the like return to their caller, so the rank's environment is the process's
// while they run. Functions of the exec family do not return, and in a child of vfork() the memory is its
// parent's: nothing may be left changed there, no scope be open, and no memory be allocated. They search PATH
// here.
//
// Children of ranks are the system's children of the PE where they were started: only that one can wait for
// them. A rank stays on its PE until it has waited for all of its own, and waits for nobody else's.
#include <alloca.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <string_view>

#include "runtime/arena/arena.hpp"
#include "runtime/base/log.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/environment.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process_numbers.hpp"
#include "runtime/libc/program_file.hpp"
#include "runtime/libc/settings.hpp"
#include "runtime/libc/trying.hpp"

namespace skein::libc {
namespace {

constexpr const char kHasChild[] = "it has a child process that it has not waited for";

const void* handle_of(pid_t child) { return reinterpret_cast<const void*>(std::intptr_t{child}); }
pid_t child_of(const Attachment& one) {
  return static_cast<pid_t>(reinterpret_cast<std::intptr_t>(one.begin));
}

/// Notes that the running rank has started `child`, if it is above 0. Returns it; keeps errno.
pid_t note_child(pid_t child) {
  const int error = errno;
  if (Rank* const rank = rank_with_table(); rank && child > 0)
    attach_handle(*rank, handle_of(child), kHasChild);
  errno = error;
  return child;
}

/// Returns true if fork() must be refused: in a node-shared arena a child would run on its parent's very
/// stack. vfork(), posix_spawn(), system() and popen() are safe: there the parent waits, or the child has a
/// stack of its own.
bool refuses_fork() {
  const Rank& rank = calling_rank("fork");
  if (arena::reserved.backing == arena::Backing::private_pages) return false;
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

/// Returns true, after a warning, if exec*() would replace the PE with all its ranks.
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

/// Executes a file; gives one that is no program of the system's to the shell (POSIX exec, ENOEXEC).
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

/// Executes `file`, searched along the PATH of the calling rank.
int execute_along_path(Rank& rank, const char* file, char* const* argv, char* const* environment) {
  if (*file == '\0') {
    errno = ENOENT;
    return -1;
  }
  if (strchr(file, '/')) return execute(file, argv, environment);
  const char* path = value_of(environment_of(rank), "PATH");
  if (!path) path = "/bin:/usr/bin";  // the C library's default
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

/// Returns true if `which`, as waitpid() names children, means this one.
bool is_meant(pid_t child, pid_t which) {
  return which == -1 || getpgid(child) == (which == 0 ? getpgrp() : -which);
}

/// Returns the result of `attempt` for the first of the meant children of the rank that has news; 0 if there
/// is none yet, and -1 with ECHILD if no child is meant. A child named by its number may have been started
/// unseen.
template <class Attempt>
pid_t ask_children(Rank& rank, pid_t which, Attempt attempt) {
  if (which > 0) {
    const pid_t found = attempt(which);
    if (found == -1 && errno == ECHILD) detach_handle(rank, handle_of(which));
    return found;
  }
  auto& all = file_table(rank).attachments;
  bool any = false;
  for (std::size_t i = 0; i < all.size();) {
    if (all[i].pinned_because != kHasChild || !is_meant(child_of(all[i]), which)) {
      ++i;
      continue;
    }
    const pid_t child = child_of(all[i]), found = attempt(child);
    if (found == -1 && errno == ECHILD) {  // SIGCHLD is ignored, or its handler has waited
      detach_handle(rank, handle_of(child));
      continue;
    }
    if (found != 0) return found;
    any = true;
    ++i;
  }
  if (!any) errno = ECHILD;
  return any ? 0 : -1;
}

/// Repeats the attempt until it finds a child, unless `options` forbid waiting; other ranks run meanwhile.
template <class Attempt>
pid_t wait_for(Rank& rank, pid_t which, int options, Attempt attempt) {
  pid_t found = 0;
  try_until([&] { return (found = ask_children(rank, which, attempt)) == 0 ? -1 : 0; },
            [=] { return !(options & WNOHANG); });
  return found;
}

pid_t rank_wait4(pid_t which, int* status, int options, rusage* usage) {
  Rank* const rank = rank_with_table();
  if (!rank) return wait4(which, status, options, usage);
  int told = 0;
  const pid_t found = wait_for(*rank, in_system(*rank, which), options,
                               [&](pid_t child) { return wait4(child, &told, options | WNOHANG, usage); });
  if (found <= 0) return found;
  if (WIFEXITED(told) || WIFSIGNALED(told)) detach_handle(*rank, handle_of(found));
  if (status) *status = told;
  return found;
}
pid_t rank_waitpid(pid_t which, int* status, int options) {
  return rank_wait4(which, status, options, nullptr);
}
pid_t rank_wait3(int* status, int options, rusage* usage) { return rank_wait4(-1, status, options, usage); }
pid_t rank_wait(int* status) { return rank_wait4(-1, status, 0, nullptr); }

int rank_waitid(idtype_t kind, id_t id, siginfo_t* info, int options) {
  Rank* const rank = rank_with_table();
  if (!rank || (kind != P_ALL && kind != P_PGID && kind != P_PID && kind != P_PIDFD))
    return waitid(kind, id, info, options);
  siginfo_t told = {};
  const pid_t number = in_system(*rank, static_cast<pid_t>(id));
  const pid_t which = kind == P_ALL ? -1 : kind == P_PGID ? -number : number;
  const pid_t found = wait_for(*rank, which, options, [&](pid_t child) {
    const int result =
        waitid(kind == P_PIDFD ? P_PIDFD : P_PID, static_cast<id_t>(child), &told, options | WNOHANG);
    return result == 0 ? told.si_pid : -1;
  });
  if (found < 0) return -1;
  const bool has_ended =
      told.si_code == CLD_EXITED || told.si_code == CLD_KILLED || told.si_code == CLD_DUMPED;
  if (found > 0 && has_ended && !(options & WNOWAIT)) detach_handle(*rank, handle_of(found));
  if (info) *info = told;
  return 0;
}

/// Counts the arguments of forms that take them one by one, with the null at the end.
std::size_t count_with_null(const char* first, va_list rest) {
  std::size_t n = 1;
  for (const char* each = first; each; each = va_arg(rest, const char*)) ++n;
  return n;
}
/// Puts `first` and the arguments up to the null into `argv`; `args` is behind the null then.
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

/// Handles the result in the parent; called below.
[[gnu::used]] pid_t skein_after_vfork(long result) {
  if (result < 0) errno = static_cast<int>(-result);
  return result < 0 ? -1 : note_child(static_cast<pid_t>(result));
}
/// Does the C library's vfork(): the child goes on with its parent's stack and returns first, so the return
/// address stays in a register meanwhile.
[[gnu::naked, gnu::used]] pid_t skein_rank_vfork() {
  asm("popq %rdi\n\t"
      "movl $58, %eax\n\t"  // SYS_vfork
      "syscall\n\t"
      "pushq %rdi\n\t"
      "movq %rax, %rdi\n\t"
      "testq %rax, %rax\n\t"
      "jne skein_after_vfork\n\t"
      "ret");
}
static_assert(SYS_vfork == 58);

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
  file = path_in_system(file);  // before the scope, in which no caller is a rank's program
  const EnvironmentScope environment(program_rank());
  pid_t started = 0;
  return spawned(real(&started, file, actions, attributes, argv, variables), started, child);
}

}  // extern "C"

namespace skein::libc {

const Overrides children_overrides({
    {"fork", address_of(rank_fork)},     {"__fork", address_of(rank_fork)},
    {"execve", address_of(execve)},      {"fexecve", address_of(fexecve)},
    {"execv", address_of(execv)},        {"execvp", address_of(execvp)},
    {"execvpe", address_of(execvpe)},    {"execl", address_of(execl)},
    {"execlp", address_of(execlp)},      {"execle", address_of(execle)},
    {"system", address_of(::system)},    {"posix_spawnp", address_of(posix_spawnp)},
    {"_Fork", address_of(rank__Fork)},   {"posix_spawn", address_of(posix_spawn)},
    {"wait", address_of(rank_wait)},     {"wait3", address_of(rank_wait3)},
    {"wait4", address_of(rank_wait4)},   {"waitpid", address_of(rank_waitpid)},
    {"waitid", address_of(rank_waitid)}, {"vfork", address_of(skein_rank_vfork)},
});

}  // namespace skein::libc
