// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/descriptor_channel.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include "runtime/base/check.hpp"
#include "runtime/base/descriptor_passing.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/descriptor_socket.hpp"
#include "runtime/net/idle_wait.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::net {
namespace {

constexpr int kGreeting = -1000;  // the key of the messages that show who reaches whom
constexpr int kNoPe = -1;

struct DescriptorChannel {
  std::optional<DescriptorSocket> socket;
  std::vector<DescriptorAddress> addresses;  // of every PE
  int greeted_by = kNoPe;
  std::unordered_map<int, std::vector<int>> arrived;  // by key
  bool lost_some = false;
  bool usable = false;
};
DescriptorChannel descriptor_channel;

std::string owner_of(int key) {
  return key >= 0 ? format("rank %d's open files", key) : std::string("what a node's first PE hands out");
}

/// Passes descriptors to a PE. Returns false, with errno, if the PE cannot be reached.
bool send(int pe, int key, std::span<const int> descriptors) {
  IdleWait wait;
  for (;;) {
    switch (descriptor_channel.socket->send(descriptor_channel.addresses[static_cast<std::size_t>(pe)],
                                            world.pe, key, descriptors)) {
      case DescriptorSocket::Sent::yes:
        return true;
      case DescriptorSocket::Sent::failed:
        return false;
      case DescriptorSocket::Sent::later:
        if (serve_descriptors())
          wait.restart();
        else
          wait.wait();
    }
  }
}

/// Returns true if this PE reaches the next one of its node, cyclically, and the one before it has reached
/// this one.
///
/// Which PEs reach each other depends on network namespace and user, which two PEs share or do not. So if
/// each shares them with the next, all share them, and no PE greets as many as there are.
bool greet_neighbours() {
  const auto pes = world.node_pes.size(), place = static_cast<std::size_t>(world.node_pe);
  const int next = world.node_pes[(place + 1) % pes], previous = world.node_pes[(place + pes - 1) % pes];
  const bool reached =
      next == world.pe || (descriptor_channel.socket->is_open() && send(next, kGreeting, {}));
  arrive_descriptors();
  (void)serve_descriptors();
  return reached && (previous == world.pe || descriptor_channel.greeted_by == previous);
}

}  // namespace

void open_descriptor_channel() {
  SKEIN_CHECK(!descriptor_channel.socket, "the descriptor channel is open already");
  descriptor_channel.socket.emplace();
  descriptor_channel.greeted_by = kNoPe;
  descriptor_channel.addresses.resize(static_cast<std::size_t>(world.pes));
  all_gather(&descriptor_channel.socket->address(), sizeof descriptor_channel.socket->address(),
             descriptor_channel.addresses.data());
  std::uint64_t unreached[] = {!greet_neighbours()};
  sum_polling(unreached);
  descriptor_channel.usable = unreached[0] == 0;
  if (!descriptor_channel.usable && world.pe == 0)
    SKEIN_WARN(
        "open files and the memory of ranks cannot be handed over inside a node: %llu PEs are out of reach "
        "of others that they share memory with (are they in network namespaces of their own?)",
        static_cast<unsigned long long>(unreached[0]));
}

void close_descriptor_channel() {
  descriptor_channel.socket.reset();
  descriptor_channel.addresses.clear();
  for (const auto& [key, descriptors] : std::exchange(descriptor_channel.arrived, {}))
    close_descriptors(descriptors);
  descriptor_channel.lost_some = descriptor_channel.usable = false;
}

bool can_pass_descriptors() { return descriptor_channel.usable; }

void pass_descriptors(int pe, int key, std::span<const int> descriptors) {
  while (!descriptors.empty()) {
    const auto some = descriptors.first(std::min(descriptors.size(), DescriptorSocket::most_at_once));
    SKEIN_CHECK(send(pe, key, some), "%s could not be passed to PE %d: %s", owner_of(key).c_str(), pe,
                strerror(errno));
    descriptors = descriptors.subspan(some.size());
  }
}

bool serve_descriptors() {
  if (!descriptor_channel.socket || !descriptor_channel.socket->is_open()) return false;
  bool any = false;
  while (const std::optional<DescriptorMessage> message = descriptor_channel.socket->receive()) {
    any = true;
    if (message->key == kGreeting) descriptor_channel.greeted_by = message->from;
    std::vector<int>& all = descriptor_channel.arrived[message->key];
    all.insert(all.end(), message->descriptors.begin(), message->descriptors.end());
    descriptor_channel.lost_some |= !message->complete;
  }
  return any;
}

/// After the barrier, all descriptors sent before it are in their receivers' sockets, which read them when
/// they are asked for. Mostly none were sent, and to see that takes longer than the barrier.
void arrive_descriptors() { barrier(serve_descriptors); }

std::vector<int> take_descriptors(int key, std::size_t count) {
  if (count == 0) return {};
  std::vector<int>& all = descriptor_channel.arrived[key];
  if (all.size() < count) (void)serve_descriptors();
  SKEIN_CHECK(
      all.size() >= count, "of %zu descriptors %zu have come (%s)%s", count, all.size(),
      owner_of(key).c_str(),
      descriptor_channel.lost_some ? ": this PE is at its limit of open files, raise it (ulimit -n)" : "");
  // A PE that is ahead may have passed more with this key already.
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  const std::vector<int> taken(all.begin(), end);
  all.erase(all.begin(), end);
  if (all.empty()) descriptor_channel.arrived.erase(key);
  return taken;
}

}  // namespace skein::net
