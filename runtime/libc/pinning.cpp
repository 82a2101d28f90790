// SPDX-License-Identifier: Apache-2.0
// What a rank can hold that exists only in its process: sockets, pipes and other kernel objects without a
// name, shared memory, open directories. These functions work as they are, and pin the rank
// until it lets go.
#include <dirent.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"

namespace skein::libc {
namespace {

constexpr const char holds_socket[] = "it holds a socket";
constexpr const char holds_pipe[] = "it holds a pipe";
constexpr const char holds_event[] = "it holds a descriptor of kernel events (epoll, eventfd, timerfd ...)";
constexpr const char holds_memory_file[] = "it holds a memory file";
constexpr const char holds_directory[] = "it holds an open directory";
constexpr const char holds_mapping[] = "it has mapped memory outside its slot (shmat)";

/// The C library's function, after which what it opened pins the rank.
template <auto Function, const char* because, class... Arguments>
Override pinning(const char* name, int (*)(Arguments...)) {
  return {name, address_of(+[](Arguments... arguments) {
            Rank& rank = calling_rank("a function that opens a descriptor");
            return adopt_pinning(rank, Function(arguments...), because);
          })};
}

int adopt_pair(Rank& rank, int result, const int numbers[2], const char* because) {
  if (result != 0) return result;
  adopt_pinning(rank, numbers[0], because);
  adopt_pinning(rank, numbers[1], because);
  return 0;
}
int rank_socketpair(int domain, int type, int protocol, int numbers[2]) {
  Rank& rank = calling_rank("socketpair");
  return adopt_pair(rank, socketpair(domain, type, protocol, numbers), numbers, holds_socket);
}
int rank_pipe(int numbers[2]) { return adopt_pair(calling_rank("pipe"), pipe(numbers), numbers, holds_pipe); }
int rank_pipe2(int numbers[2], int flags) {
  return adopt_pair(calling_rank("pipe2"), pipe2(numbers, flags), numbers, holds_pipe);
}

void* rank_shmat(int segment, const void* address, int flags) {
  Rank& rank = calling_rank("shmat");
  void* memory = shmat(segment, address, flags);
  if (memory != MAP_FAILED) attach_handle(rank, memory, holds_mapping);
  return memory;
}
int rank_shmdt(const void* memory) {
  Rank& rank = calling_rank("shmdt");
  const int result = shmdt(memory);
  if (result == 0) detach_handle(rank, memory);
  return result;
}

#define SKEIN_PINNING(function, because) pinning<&::function, because>(#function, &::function)

}  // namespace
}  // namespace skein::libc

// The shared C++ library reads directories for std::filesystem, on behalf of a rank.
extern "C" {

DIR* opendir(const char* path) {
  static const auto real = skein::libc::next_function<DIR*(const char*)>("opendir");
  DIR* directory = real(path);
  if (skein::Rank* rank = skein::libc::program_rank(); rank && directory)
    skein::libc::attach_handle(*rank, directory, skein::libc::holds_directory);
  return directory;
}
/// The directory stream owns the descriptor from here on.
DIR* fdopendir(int descriptor) {
  static const auto real = skein::libc::next_function<DIR*(int)>("fdopendir");
  DIR* directory = real(descriptor);
  if (skein::Rank* rank = skein::libc::program_rank(); rank && directory) {
    skein::libc::forget_descriptor(*rank, descriptor);
    skein::libc::attach_handle(*rank, directory, skein::libc::holds_directory);
  }
  return directory;
}
int closedir(DIR* directory) {
  static const auto real = skein::libc::next_function<int(DIR*)>("closedir");
  if (skein::Rank* rank = skein::libc::program_rank()) skein::libc::detach_handle(*rank, directory);
  return real(directory);
}

}  // extern "C"

namespace skein::libc {

std::span<const Override> pinning_overrides() {
  static const Override table[] = {
      SKEIN_PINNING(socket, holds_socket),
      SKEIN_PINNING(accept, holds_socket),
      SKEIN_PINNING(accept4, holds_socket),
      SKEIN_PINNING(eventfd, holds_event),
      SKEIN_PINNING(epoll_create, holds_event),
      SKEIN_PINNING(epoll_create1, holds_event),
      SKEIN_PINNING(timerfd_create, holds_event),
      SKEIN_PINNING(signalfd, holds_event),
      SKEIN_PINNING(inotify_init, holds_event),
      SKEIN_PINNING(inotify_init1, holds_event),
      SKEIN_PINNING(memfd_create, holds_memory_file),
      SKEIN_PINNING(shm_open, holds_memory_file),
      {"socketpair", address_of(rank_socketpair)},
      {"pipe", address_of(rank_pipe)},
      {"pipe2", address_of(rank_pipe2)},
      {"shmat", address_of(rank_shmat)},
      {"shmdt", address_of(rank_shmdt)},
      {"opendir", address_of(opendir)},
      {"fdopendir", address_of(fdopendir)},
      {"closedir", address_of(closedir)},
  };
  return table;
}

}  // namespace skein::libc
