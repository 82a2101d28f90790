// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/waited_children.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process_numbers.hpp"
#include "runtime/libc/trying.hpp"

namespace skein::libc {
namespace {

constexpr const char has_child[] = "it has a child process that it has not waited for";

const void* handle_of(pid_t child) { return reinterpret_cast<const void*>(std::intptr_t{child}); }
pid_t child_of(const Attachment& one) {
  return static_cast<pid_t>(reinterpret_cast<std::intptr_t>(one.begin));
}

/// As waitpid() names children, of which this is one.
bool is_meant(pid_t child, pid_t which) {
  return which == -1 || getpgid(child) == (which == 0 ? getpgrp() : -which);
}

/// What `attempt` returns for the first of the rank's children that are meant and of which there is something
/// to say; 0 if there is nothing yet, and -1 with ECHILD if no child is meant. One that is named by its
/// number may have been started behind our back.
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
    if (all[i].pinned_because != has_child || !is_meant(child_of(all[i]), which)) {
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

}  // namespace
}  // namespace skein::libc

extern "C" {

/// For the parent, from below.
[[gnu::used]] pid_t skein_after_vfork(long result) {
  if (result < 0) errno = static_cast<int>(-result);
  return result < 0 ? -1 : skein::libc::note_child(static_cast<pid_t>(result));
}
/// As the C library's vfork(): the child goes on with its parent's stack and returns first, so the address to
/// return to stays in a register meanwhile.
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

}  // extern "C"
static_assert(SYS_vfork == 58);

namespace skein::libc {

pid_t note_child(pid_t child) {
  const int error = errno;
  if (Rank* const rank = rank_with_table(); rank && child > 0)
    attach_handle(*rank, handle_of(child), has_child);
  errno = error;
  return child;
}

std::span<const Override> waited_children_overrides() {
  static const Override table[] = {
      {"wait", address_of(rank_wait)},     {"wait3", address_of(rank_wait3)},
      {"wait4", address_of(rank_wait4)},   {"waitpid", address_of(rank_waitpid)},
      {"waitid", address_of(rank_waitid)}, {"vfork", address_of(skein_rank_vfork)},
  };
  return table;
}

}  // namespace skein::libc
