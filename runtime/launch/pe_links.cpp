// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/pe_links.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/base/descriptor_passing.hpp"
#include "runtime/base/error.hpp"
#include "runtime/net/starter_link.hpp"

namespace skein::launch {
namespace {

/// Makes a socket with a unique name, which the environment passes to the PEs. Returns -1 if there can be
/// none.
int listen_for_pes() {
  std::uint64_t token = 0;
  if (getrandom(&token, sizeof token, 0) != sizeof token) return -1;
  const std::string name =
      format("skein-%d-%llx", static_cast<int>(getpid()), static_cast<unsigned long long>(token));
  const net::StarterAddress at(name);
  const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -1;
  if (bind(listener, reinterpret_cast<const sockaddr*>(&at.address), at.length) != 0 ||
      ::listen(listener, SOMAXCONN) != 0) {
    close(listener);
    return -1;
  }
  setenv(net::kStarterVariable, name.c_str(), 1);
  return listener;
}

}  // namespace

void watch_input(int events, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  SKEIN_CHECK(epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl: %s", strerror(errno));
}

PeLinks::PeLinks(int events) : events_(events), listener_(listen_for_pes()) {
  if (listener_ >= 0) watch_input(events_, listener_);
}

PeLinks::~PeLinks() {
  for (const auto& [descriptor, pe] : pes_) close(descriptor);
  if (listener_ >= 0) close(listener_);
  unsetenv(net::kStarterVariable);
}

void PeLinks::kill_all(int signal) const {
  for (const auto& [descriptor, pe] : pes_) kill(pe.process, signal);
}

PeLinks::Heard PeLinks::take(int descriptor, std::span<const int> streams) {
  return descriptor == listener_ ? admit(streams) : hear(descriptor);
}

PeLinks::Heard PeLinks::admit(std::span<const int> streams) {
  const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return {};
  ucred who{};
  socklen_t length = sizeof who;
  getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &who, &length);
  if (who.uid != geteuid()) {
    close(descriptor);
    return {};
  }
  LinkedPe& pe = pes_[descriptor];
  pe.process = who.pid;
  watch_input(events_, descriptor);
  // A PE that is gone already needs no answer.
  if (streams.empty() || !send_descriptors(descriptor, streams)) (void)!send(descriptor, "", 1, MSG_NOSIGNAL);
  return {News::connected, pe};
}

PeLinks::Heard PeLinks::hear(int descriptor) {
  LinkedPe& pe = pes_[descriptor];
  net::Greeting greeting{};
  std::array<char, 512> said{};
  const ssize_t bytes = recv(descriptor, said.data(), said.size() - 1, 0);
  // A PE that ends without having taken the answer resets the connection, but its messages come after that.
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNRESET)) return {};
  if (bytes == sizeof greeting) {
    memcpy(&greeting, said.data(), sizeof greeting);
    if (greeting.pe == net::kIsToLeave) return {News::is_to_leave, pe};
    if (greeting.pe == net::kIsEndedByLauncher) {
      pe.ended_by_launcher = true;
      return {News::ended_by_launcher, pe};
    }
    pe.number = greeting.pe;
    return {News::greeted, pe};
  }
  if (bytes == sizeof(net::NewsOfOther)) {
    Heard heard{News::of_other, pe};
    memcpy(&heard.of_other, said.data(), sizeof heard.of_other);
    return heard;
  }
  if (bytes > 0) return {News::goodbye, pe, said.data()};
  const LinkedPe gone = pe;
  close(descriptor);
  pes_.erase(descriptor);
  return {News::gone, gone};
}

}  // namespace skein::launch
