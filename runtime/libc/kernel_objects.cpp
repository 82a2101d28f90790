// SPDX-License-Identifier: Apache-2.0
// Sockets, pipes and other objects of the kernel that have a descriptor and no name: they exist in the
// process alone, and pin the rank that holds one. Terminals and message queues move with their rank if the
// descriptor can be handed over. Exported under the C library's names, because shared libraries open them on
// behalf of ranks, too, and the process's own must be noted (descriptor_owners.hpp).
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <pty.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <utmp.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "runtime/base/log.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/shared_state.hpp"
#include "runtime/libc/trying.hpp"

namespace skein::libc {
namespace {

constexpr const char kHoldsSocket[] = "it holds a socket";
constexpr const char kHoldsPipe[] = "it holds a pipe";
constexpr const char kHoldsEvent[] = "it holds a descriptor of kernel events (epoll, eventfd, timerfd ...)";
constexpr const char kHoldsMemoryFile[] = "it holds a memory file";
constexpr const char kHoldsProcess[] = "it holds a descriptor of a process";
constexpr const char kHoldsFileSystem[] = "it holds a descriptor of a file system (fsopen, open_tree ...)";
constexpr const char kHoldsNotice[] = "it waits for the notice of a message queue (mq_notify)";

int made(int number, const char* because) {
  if (Rank* rank = rank_with_table()) return adopt_pinning(*rank, number, because);
  note_descriptor_of_process(number);
  return number;
}
/// Adopts a descriptor that moves if descriptors are handed over.
int made_movable(int number) {
  if (Rank* rank = rank_with_table()) return adopt_descriptor(*rank, number);
  note_descriptor_of_process(number);
  return number;
}
int made_pair(int result, const int numbers[2], const char* because) {
  if (result != 0) return result;
  made(numbers[0], because);
  made(numbers[1], because);
  return 0;
}

/// Gives descriptors that came with a message numbers of the rank's own.
void adopt_received(msghdr& message) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= part->cmsg_len; at += sizeof(int)) {
      auto* const place = reinterpret_cast<unsigned char*>(part) + at;
      int number;
      memcpy(&number, place, sizeof number);
      number = made_movable(number);
      memcpy(place, &number, sizeof number);
    }
  }
}

ssize_t rank_recvmsg(int socket, msghdr* message, int flags) {
  const ssize_t result = recvmsg(socket, message, flags);
  if (result >= 0) adopt_received(*message);
  return result;
}
int rank_recvmmsg(int socket, mmsghdr* messages, unsigned count, int flags, timespec* time) {
  const int result = recvmmsg(socket, messages, count, flags, time);
  for (int i = 0; i < result; ++i) adopt_received(messages[i].msg_hdr);
  return result;
}

// ---- message queues

mqd_t rank_mq_open_checked(const char* name, int flags) { return mq_open(name, flags); }

bool waits(mqd_t queue) {
  mq_attr attributes;
  return rank_with_table() && mq_getattr(queue, &attributes) == 0 && !(attributes.mq_flags & O_NONBLOCK);
}
bool is_not_ready() { return errno == ETIMEDOUT; }
constexpr timespec kLongAgo = {};

int rank_mq_send(mqd_t queue, const char* message, std::size_t bytes, unsigned priority) {
  if (!waits(queue)) return mq_send(queue, message, bytes, priority);
  return try_until([=] { return mq_timedsend(queue, message, bytes, priority, &kLongAgo); }, is_not_ready);
}
ssize_t rank_mq_receive(mqd_t queue, char* message, std::size_t bytes, unsigned* priority) {
  if (!waits(queue)) return mq_receive(queue, message, bytes, priority);
  return try_until([=] { return mq_timedreceive(queue, message, bytes, priority, &kLongAgo); }, is_not_ready);
}

/// Pins the rank: the notification happens in this process, or on a thread of it.
int rank_mq_notify(mqd_t queue, const sigevent* wanted) {
  Rank* const rank = rank_with_table();
  const int result = mq_notify(queue, wanted);
  if (!rank || result != 0) return result;
  forget_descriptor(*rank, queue);
  if (wanted)
    adopt_pinning(*rank, queue, kHoldsNotice);
  else
    adopt_descriptor(*rank, queue);
  return 0;
}

// ---- terminals

/// Refuses a call that would change the descriptors 0, 1 and 2, or end the calling process.
int refuse_for_process(const Rank& rank, const char* function) {
  fiber::RuntimeScope runtime;
  SKEIN_WARN("rank %d called %s(), which would act on its PE with all ranks there: refused", rank.id,
             function);
  errno = ENOTSUP;
  return -1;
}
int rank_login_tty(int terminal) {
  Rank* const rank = rank_with_table();
  return rank ? refuse_for_process(*rank, "login_tty") : login_tty(terminal);
}
int rank_forkpty(int*, char*, const termios*, const winsize*) {
  return refuse_for_process(*fiber::thread_block.rank, "forkpty");
}
/// Makes an override of a function that looks a host up by the name service, and connects to it.
template <auto Function, class... Arguments>
Override connecting(const char* name, int (*)(Arguments...)) {
  return {name, address_of(+[](Arguments... arguments) {
            int number;
            {
              const CLibraryScope scope;
              number = Function(arguments...);
            }
            return made(number, kHoldsSocket);
          })};
}
int rank_daemon(int without_chdir, int without_close) {
  Rank* const rank = rank_with_table();
  return rank ? refuse_for_process(*rank, "daemon") : daemon(without_chdir, without_close);
}

}  // namespace
}  // namespace skein::libc

using namespace skein::libc;

/// Defines `name` as the C library's function, followed by adopting the descriptor that it made.
#define SKEIN_MAKES(name, parameters, arguments, because, ...)     \
  extern "C" int name parameters __VA_ARGS__ {                     \
    static const auto real = next_function<int parameters>(#name); \
    return made(real arguments, because);                          \
  }
#define SKEIN_MAKES_PAIR(name, parameters, arguments, because, ...) \
  extern "C" int name parameters __VA_ARGS__ {                      \
    static const auto real = next_function<int parameters>(#name);  \
    return made_pair(real arguments, numbers, because);             \
  }

SKEIN_MAKES(socket, (int domain, int type, int protocol), (domain, type, protocol), kHoldsSocket, noexcept)
SKEIN_MAKES(accept, (int listening, sockaddr* address, socklen_t* bytes), (listening, address, bytes),
            kHoldsSocket)
SKEIN_MAKES(accept4, (int listening, sockaddr* address, socklen_t* bytes, int flags),
            (listening, address, bytes, flags), kHoldsSocket)
SKEIN_MAKES(eventfd, (unsigned count, int flags), (count, flags), kHoldsEvent, noexcept)
SKEIN_MAKES(epoll_create, (int size), (size), kHoldsEvent, noexcept)
SKEIN_MAKES(epoll_create1, (int flags), (flags), kHoldsEvent, noexcept)
SKEIN_MAKES(timerfd_create, (clockid_t clock, int flags), (clock, flags), kHoldsEvent, noexcept)
SKEIN_MAKES(signalfd, (int descriptor, const sigset_t* mask, int flags), (descriptor, mask, flags),
            kHoldsEvent, noexcept)
SKEIN_MAKES(inotify_init, (), (), kHoldsEvent, noexcept)
SKEIN_MAKES(inotify_init1, (int flags), (flags), kHoldsEvent, noexcept)
SKEIN_MAKES(memfd_create, (const char* name, unsigned flags), (name, flags), kHoldsMemoryFile, noexcept)
SKEIN_MAKES(shm_open, (const char* name, int flags, mode_t mode), (name, flags, mode), kHoldsMemoryFile)
SKEIN_MAKES(pidfd_open, (pid_t process, unsigned flags), (process, flags), kHoldsProcess, noexcept)
SKEIN_MAKES(fanotify_init, (unsigned flags, unsigned file_flags), (flags, file_flags), kHoldsEvent, noexcept)
SKEIN_MAKES(fsopen, (const char* kind, unsigned flags), (kind, flags), kHoldsFileSystem, noexcept)
SKEIN_MAKES(fspick, (int directory, const char* path, unsigned flags), (directory, path, flags),
            kHoldsFileSystem, noexcept)
SKEIN_MAKES(fsmount, (int context, unsigned flags, unsigned attributes), (context, flags, attributes),
            kHoldsFileSystem, noexcept)
SKEIN_MAKES(open_tree, (int directory, const char* path, unsigned flags), (directory, path, flags),
            kHoldsFileSystem, noexcept)
SKEIN_MAKES(rresvport, (int* port), (port), kHoldsSocket)
SKEIN_MAKES(rresvport_af, (int* port, sa_family_t family), (port, family), kHoldsSocket)
SKEIN_MAKES_PAIR(socketpair, (int domain, int type, int protocol, int numbers[2]),
                 (domain, type, protocol, numbers), kHoldsSocket, noexcept)
SKEIN_MAKES_PAIR(pipe, (int numbers[2]), (numbers), kHoldsPipe, noexcept)
SKEIN_MAKES_PAIR(pipe2, (int numbers[2], int flags), (numbers, flags), kHoldsPipe, noexcept)

extern "C" {

int pidfd_getfd(int process, int number, unsigned flags) noexcept {
  static const auto real = next_function<int(int, int, unsigned)>("pidfd_getfd");
  return made_movable(real(process, number, flags));
}
int open_by_handle_at(int mount, file_handle* handle, int flags) {
  static const auto real = next_function<int(int, file_handle*, int)>("open_by_handle_at");
  return made_movable(real(mount, handle, flags));
}
mqd_t mq_open(const char* name, int flags, ...) noexcept {
  static const auto real = next_function<mqd_t(const char*, int, ...)>("mq_open");
  mode_t mode = 0;
  mq_attr* attributes = nullptr;
  if (flags & O_CREAT) {
    va_list args;
    va_start(args, flags);
    mode = va_arg(args, mode_t);
    attributes = va_arg(args, mq_attr*);
    va_end(args);
  }
  return made_movable(real(name, flags, mode, attributes));
}
int mq_close(mqd_t queue) noexcept { return close(queue); }

int posix_openpt(int flags) {
  static const auto real = next_function<int(int)>("posix_openpt");
  return made_movable(real(flags));
}
int getpt() { return posix_openpt(O_RDWR); }
int openpty(int* master, int* slave, char* name, const termios* settings, const winsize* size) noexcept {
  static const auto real = next_function<int(int*, int*, char*, const termios*, const winsize*)>("openpty");
  const int result = real(master, slave, name, settings, size);
  if (result != 0) return result;
  *master = made_movable(*master);
  *slave = made_movable(*slave);
  return 0;
}

}  // extern "C"

namespace skein::libc {

#define SKEIN_ENTRY(name) \
  { #name, address_of(::name) }
const Overrides kernel_object_overrides({
    SKEIN_ENTRY(socket),
    SKEIN_ENTRY(accept),
    SKEIN_ENTRY(accept4),
    SKEIN_ENTRY(socketpair),
    SKEIN_ENTRY(pipe),
    SKEIN_ENTRY(pipe2),
    SKEIN_ENTRY(eventfd),
    SKEIN_ENTRY(epoll_create),
    SKEIN_ENTRY(epoll_create1),
    SKEIN_ENTRY(timerfd_create),
    SKEIN_ENTRY(signalfd),
    SKEIN_ENTRY(inotify_init),
    SKEIN_ENTRY(inotify_init1),
    SKEIN_ENTRY(memfd_create),
    SKEIN_ENTRY(shm_open),

    SKEIN_ENTRY(pidfd_getfd),
    SKEIN_ENTRY(fanotify_init),
    SKEIN_ENTRY(fsopen),
    SKEIN_ENTRY(fspick),
    SKEIN_ENTRY(fsmount),
    SKEIN_ENTRY(open_tree),
    SKEIN_ENTRY(open_by_handle_at),
    SKEIN_ENTRY(rresvport),
    SKEIN_ENTRY(rresvport_af),
    SKEIN_ENTRY(mq_open),
    SKEIN_ENTRY(mq_close),
    SKEIN_ENTRY(posix_openpt),
    SKEIN_ENTRY(getpt),
    SKEIN_ENTRY(openpty),
    {"recvmsg", address_of(rank_recvmsg)},
    {"recvmmsg", address_of(rank_recvmmsg)},
    {"__mq_open_2", address_of(rank_mq_open_checked)},
    {"mq_send", address_of(rank_mq_send)},
    {"mq_receive", address_of(rank_mq_receive)},
    {"mq_notify", address_of(rank_mq_notify)},
    {"login_tty", address_of(rank_login_tty)},
    {"forkpty", address_of(rank_forkpty)},
    {"daemon", address_of(rank_daemon)},
    connecting<&::rcmd>("rcmd", &::rcmd),
    connecting<&::rcmd_af>("rcmd_af", &::rcmd_af),
    connecting<&::rexec>("rexec", &::rexec),
    connecting<&::rexec_af>("rexec_af", &::rexec_af),
});
#undef SKEIN_ENTRY

}  // namespace skein::libc
