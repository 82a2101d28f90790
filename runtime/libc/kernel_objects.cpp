// SPDX-License-Identifier: Apache-2.0
// Sockets, pipes and other objects of the kernel that have a descriptor and no name: they exist in the
// process alone, and pin the rank that holds one. Exported under the C library's names, because shared
// libraries open them on behalf of ranks, too, and the process's own are to be known as such
// (descriptor_owners.hpp).
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"

namespace skein::libc {
namespace {

constexpr const char holds_socket[] = "it holds a socket";
constexpr const char holds_pipe[] = "it holds a pipe";
constexpr const char holds_event[] = "it holds a descriptor of kernel events (epoll, eventfd, timerfd ...)";
constexpr const char holds_memory_file[] = "it holds a memory file";

int made(int number, const char* because) {
  if (Rank* rank = rank_with_table()) return adopt_pinning(*rank, number, because);
  note_descriptor_of_process(number);
  return number;
}
int made_pair(int result, const int numbers[2], const char* because) {
  if (result != 0) return result;
  made(numbers[0], because);
  made(numbers[1], because);
  return 0;
}

}  // namespace
}  // namespace skein::libc

using namespace skein::libc;

/// Defines `name` as the C library's function, after which what it made is entered.
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

SKEIN_MAKES(socket, (int domain, int type, int protocol), (domain, type, protocol), holds_socket, noexcept)
SKEIN_MAKES(accept, (int listening, sockaddr* address, socklen_t* bytes), (listening, address, bytes),
            holds_socket)
SKEIN_MAKES(accept4, (int listening, sockaddr* address, socklen_t* bytes, int flags),
            (listening, address, bytes, flags), holds_socket)
SKEIN_MAKES(eventfd, (unsigned count, int flags), (count, flags), holds_event, noexcept)
SKEIN_MAKES(epoll_create, (int size), (size), holds_event, noexcept)
SKEIN_MAKES(epoll_create1, (int flags), (flags), holds_event, noexcept)
SKEIN_MAKES(timerfd_create, (clockid_t clock, int flags), (clock, flags), holds_event, noexcept)
SKEIN_MAKES(signalfd, (int descriptor, const sigset_t* mask, int flags), (descriptor, mask, flags),
            holds_event, noexcept)
SKEIN_MAKES(inotify_init, (), (), holds_event, noexcept)
SKEIN_MAKES(inotify_init1, (int flags), (flags), holds_event, noexcept)
SKEIN_MAKES(memfd_create, (const char* name, unsigned flags), (name, flags), holds_memory_file, noexcept)
SKEIN_MAKES(shm_open, (const char* name, int flags, mode_t mode), (name, flags, mode), holds_memory_file)
SKEIN_MAKES_PAIR(socketpair, (int domain, int type, int protocol, int numbers[2]),
                 (domain, type, protocol, numbers), holds_socket, noexcept)
SKEIN_MAKES_PAIR(pipe, (int numbers[2]), (numbers), holds_pipe, noexcept)
SKEIN_MAKES_PAIR(pipe2, (int numbers[2], int flags), (numbers, flags), holds_pipe, noexcept)

namespace skein::libc {

std::span<const Override> kernel_object_overrides() {
#define SKEIN_ENTRY(name) \
  { #name, address_of(::name) }
  static const Override table[] = {
      SKEIN_ENTRY(socket),         SKEIN_ENTRY(accept),       SKEIN_ENTRY(accept4),
      SKEIN_ENTRY(socketpair),     SKEIN_ENTRY(pipe),         SKEIN_ENTRY(pipe2),
      SKEIN_ENTRY(eventfd),        SKEIN_ENTRY(epoll_create), SKEIN_ENTRY(epoll_create1),
      SKEIN_ENTRY(timerfd_create), SKEIN_ENTRY(signalfd),     SKEIN_ENTRY(inotify_init),
      SKEIN_ENTRY(inotify_init1),  SKEIN_ENTRY(memfd_create), SKEIN_ENTRY(shm_open),
  };
#undef SKEIN_ENTRY
  return table;
}

}  // namespace skein::libc
