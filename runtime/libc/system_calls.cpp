// SPDX-License-Identifier: Apache-2.0
// System calls that a program makes by their number, mostly those without a function in the C library:
// descriptors that they make become the rank's, and a rank gets its own process number. All others go to the
// system unchanged.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process_numbers.hpp"

namespace skein::libc {
namespace {

bool makes_descriptor(long number) {
  static constexpr long makers[] = {
      SYS_open,          SYS_openat,         SYS_creat,         SYS_open_by_handle_at,
      SYS_memfd_create,  SYS_eventfd,        SYS_eventfd2,      SYS_epoll_create,
      SYS_epoll_create1, SYS_timerfd_create, SYS_signalfd,      SYS_signalfd4,
      SYS_inotify_init,  SYS_inotify_init1,  SYS_fanotify_init, SYS_socket,
      SYS_accept,        SYS_accept4,        SYS_dup,           SYS_perf_event_open,
      SYS_userfaultfd,   SYS_io_uring_setup, SYS_mq_open,
#ifdef SYS_pidfd_open
      SYS_pidfd_open,
#endif
#ifdef SYS_pidfd_getfd
      SYS_pidfd_getfd,
#endif
#ifdef SYS_openat2
      SYS_openat2,
#endif
#ifdef SYS_open_tree
      SYS_open_tree,     SYS_fsopen,         SYS_fsmount,       SYS_fspick,
#endif
#ifdef SYS_memfd_secret
      SYS_memfd_secret,
#endif
  };
  return std::ranges::find(makers, number) != std::end(makers);
}

bool takes_process_first(long number) {
  return number == SYS_kill || number == SYS_tgkill || number == SYS_rt_sigqueueinfo ||
#ifdef SYS_pidfd_open
         number == SYS_pidfd_open ||
#endif
         number == SYS_move_pages || number == SYS_migrate_pages;
}

/// Makes a system call with the largest number of arguments, in registers, whatever it takes.
long rank_syscall(long number, long a, long b, long c, long d, long e, long f) {
  Rank* const rank = rank_with_table();
  if (!rank) return syscall(number, a, b, c, d, e, f);
  if (number == SYS_getpid || number == SYS_gettid) return number_of(*rank);
  if (number == SYS_close) return close(static_cast<int>(a));
  if (takes_process_first(number)) a = in_system(*rank, static_cast<pid_t>(a));
  if (number == SYS_tgkill) b = in_system(*rank, static_cast<pid_t>(b));
  const long result = syscall(number, a, b, c, d, e, f);
  return result >= 0 && makes_descriptor(number) ? adopt_descriptor(*rank, static_cast<int>(result)) : result;
}

}  // namespace

const Overrides system_call_overrides({{"syscall", address_of(rank_syscall)}});

}  // namespace skein::libc
