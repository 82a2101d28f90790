// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/links.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>

#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::net {
namespace {

constexpr int kPatienceMs = 1000;
constexpr std::size_t kMostAddresses = 16;

struct Address {
  sockaddr_storage bytes;
  socklen_t length;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};

struct Listener {
  int descriptor;
  Address address;
};

/// The first message of a connecting PE. The token tells this job from others: hosts can have equal private
/// addresses.
struct Hello {
  std::uint64_t token;
  std::int32_t pe, process;
};

bool close_and_fail(int descriptor) {
  close(descriptor);
  return false;
}

bool off_node(int pe) { return world.node_of[static_cast<std::size_t>(pe)] != world.node_of[0]; }

bool wait_for(int descriptor, short events) {
  pollfd entry{descriptor, events, 0};
  int ready;
  do ready = ::poll(&entry, 1, kPatienceMs);
  while (ready < 0 && errno == EINTR);
  return ready == 1;
}

std::optional<Listener> listen_at(const sockaddr* at, socklen_t length) {
  Listener made{};
  memcpy(&made.address.bytes, at, length);
  made.address.length = length;
  made.descriptor = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made.descriptor < 0) return std::nullopt;
  auto* const address = reinterpret_cast<sockaddr*>(&made.address.bytes);
  if (bind(made.descriptor, at, length) != 0 || listen(made.descriptor, SOMAXCONN) != 0 ||
      getsockname(made.descriptor, address, &made.address.length) != 0) {
    close(made.descriptor);
    return std::nullopt;
  }
  return made;
}

/// Listens on every address under which another machine may see this one.
std::vector<Listener> listen_everywhere() {
  std::vector<Listener> listeners;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return listeners;
  for (const ifaddrs* each = all; each && listeners.size() < kMostAddresses; each = each->ifa_next) {
    if (!each->ifa_addr || !(each->ifa_flags & IFF_UP) || (each->ifa_flags & IFF_LOOPBACK)) continue;
    const int family = each->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(each->ifa_addr);
    if (family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr)) continue;
    const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (const auto listener = listen_at(each->ifa_addr, length)) listeners.push_back(*listener);
  }
  freeifaddrs(all);
  return listeners;
}

bool finish_connecting(int descriptor, const Address& to) {
  if (connect(descriptor, to.get(), to.length) == 0) return true;
  if (errno != EINPROGRESS || !wait_for(descriptor, POLLOUT)) return false;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

/// Connects to `to` and says hello. Returns the connected socket, or -1.
int call(const Address& to, const Hello& hello) {
  const int descriptor = socket(to.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  if (finish_connecting(descriptor, to) &&
      ::send(descriptor, &hello, sizeof hello, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof hello))
    return descriptor;
  close(descriptor);
  return -1;
}

/// Accepts one pending connection. Returns true if it came from this job.
bool answer(int listener, std::uint64_t token, Link& link) {
  if (!wait_for(listener, POLLIN)) return false;
  link.descriptor = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (link.descriptor < 0) return false;
  Hello hello{};
  if (!wait_for(link.descriptor, POLLIN) ||
      recv(link.descriptor, &hello, sizeof hello, 0) != static_cast<ssize_t>(sizeof hello))
    return close_and_fail(link.descriptor);
  if (hello.token != token || hello.pe <= 0 || hello.pe >= world.pes || !off_node(hello.pe))
    return close_and_fail(link.descriptor);
  link.pe = hello.pe;
  link.process = hello.process;
  return true;
}

}  // namespace

std::vector<Link> connect_links() {
  std::vector<Listener> listeners;
  std::uint64_t start[2] = {0, 0};  // number of addresses, token
  if (world.pe == 0) {
    listeners = listen_everywhere();
    // Without a random number, another job is taken for this one only if its addresses are equal, too.
    if (getrandom(&start[1], sizeof start[1], 0) != sizeof start[1])
      start[1] = static_cast<std::uint64_t>(getpid());
    start[0] = listeners.size();
  }
  broadcast(start, sizeof start, 0);
  std::vector<Address> addresses(start[0]);
  for (std::size_t i = 0; i < listeners.size(); ++i) addresses[i] = listeners[i].address;
  broadcast(addresses.data(), addresses.size() * sizeof(Address), 0);

  const auto pes = static_cast<std::size_t>(world.pes);
  std::vector<Link> links;
  std::vector<char> linked(pes, 0), calling(pes);
  for (std::size_t pe = 0; pe < pes; ++pe) linked[pe] = !off_node(static_cast<int>(pe));
  const auto self = static_cast<std::size_t>(world.pe);
  for (std::size_t i = 0; i < addresses.size() && std::ranges::count(linked, 0) > 0; ++i) {
    const int called = linked[self] ? -1 : call(addresses[i], {start[1], world.pe, getpid()});
    const char connected = called >= 0;
    all_gather(&connected, 1, calling.data());
    if (world.pe == 0) {
      for (auto left = std::ranges::count(calling, 1); left > 0; --left) {
        Link link{};
        if (!answer(listeners[i].descriptor, start[1], link)) continue;
        links.push_back(link);
        linked[static_cast<std::size_t>(link.pe)] = 1;
      }
    }
    broadcast(linked.data(), linked.size(), 0);
    if (called >= 0 && linked[self])
      links.push_back({.descriptor = called, .pe = 0, .process = 0});
    else if (called >= 0)
      close(called);
  }
  for (const Listener& listener : listeners) close(listener.descriptor);
  return links;
}

}  // namespace skein::net
