// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/descriptor_channel.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <unordered_map>

#include "runtime/base/check.hpp"
#include "runtime/base/descriptor_passing.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {
namespace {

int job_number = 0;  // the process id of PE 0: names are unique among the jobs of a node
int listener = -1;
std::unordered_map<int, int> waiting;  // rank -> accepted connection

sockaddr_un address_of(int pe, socklen_t& length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The leading zero makes it abstract: no file, gone with the process.
  const int n = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "skein-%d-%d", job_number, pe);
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(n));
  return address;
}

int new_socket() {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  SKEIN_CHECK(fd >= 0, "socket: %s", strerror(errno));
  return fd;
}

}  // namespace

void open_descriptor_channel() {
  job_number = getpid();
  net::broadcast(&job_number, sizeof job_number, 0);
  listener = new_socket();
  socklen_t length = 0;
  const sockaddr_un address = address_of(net::world.pe, length);
  SKEIN_CHECK(bind(listener, reinterpret_cast<const sockaddr*>(&address), length) == 0, "bind: %s",
              strerror(errno));
  SKEIN_CHECK(listen(listener, SOMAXCONN) == 0, "listen: %s", strerror(errno));
  net::barrier();
}

void pass_descriptors(int pe, int rank, std::span<const int> descriptors) {
  if (descriptors.empty()) return;
  const int fd = new_socket();
  socklen_t length = 0;
  const sockaddr_un address = address_of(pe, length);
  SKEIN_CHECK(connect(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0,
              "the open files of rank %d could not be passed to PE %d: connect: %s", rank, pe,
              strerror(errno));
  SKEIN_CHECK(write(fd, &rank, sizeof rank) == sizeof rank && send_descriptors(fd, descriptors),
              "the open files of rank %d could not be passed to PE %d: %s", rank, pe, strerror(errno));
  close(fd);
}

std::vector<int> take_descriptors(int rank, std::size_t count) {
  std::vector<int> descriptors(count);
  if (count == 0) return descriptors;
  while (!waiting.contains(rank)) {
    const int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    SKEIN_CHECK(connection >= 0, "accept: %s", strerror(errno));
    int from_rank = 0;
    SKEIN_CHECK(read(connection, &from_rank, sizeof from_rank) == sizeof from_rank, "read: %s",
                strerror(errno));
    waiting[from_rank] = connection;
  }
  const int connection = waiting[rank];
  waiting.erase(rank);
  SKEIN_CHECK(receive_descriptors(connection, descriptors), "the open files of rank %d did not arrive: %s",
              rank, strerror(errno));
  close(connection);
  return descriptors;
}

}  // namespace skein::net
