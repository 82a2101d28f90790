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
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::net {
namespace {

constexpr int greeting = -1000;  // the key of the messages that show who reaches whom

std::optional<DescriptorSocket> own;
std::vector<DescriptorAddress> addresses;           // of every PE
std::vector<bool> heard;                            // greetings, by PE
std::unordered_map<int, std::vector<int>> arrived;  // by key
bool lost_some = false;
bool usable = false;

std::string owner_of(int key) {
  return key >= 0 ? format("rank %d's open files", key) : std::string("what a node's first PE hands out");
}

/// False, with errno, if the PE cannot be reached.
bool send(int pe, int key, std::span<const int> descriptors) {
  IdleWait wait;
  for (;;) {
    switch (own->send(addresses[static_cast<std::size_t>(pe)], world.pe, key, descriptors)) {
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

/// Whether all PEs of this node have reached this one, so that each is whom the others take it for.
bool greet_all() {
  heard.assign(static_cast<std::size_t>(world.pes), false);
  bool reached = true;
  for (const int pe : world.node_pes)
    if (pe != world.pe) reached = own->is_open() && send(pe, greeting, {}) && reached;
  arrive_descriptors();
  return reached && std::ranges::all_of(world.node_pes, [](int pe) {
           return pe == world.pe || heard[static_cast<std::size_t>(pe)];
         });
}

}  // namespace

void open_descriptor_channel() {
  SKEIN_CHECK(!own, "the descriptor channel is open already");
  own.emplace();
  addresses.resize(static_cast<std::size_t>(world.pes));
  all_gather(&own->address(), sizeof own->address(), addresses.data());
  std::uint64_t unreached[] = {!greet_all()};
  sum_polling(unreached);
  usable = unreached[0] == 0;
  if (!usable && world.pe == 0)
    SKEIN_WARN(
        "open files and the memory of ranks cannot be handed over inside a node: %llu PEs are out of reach "
        "of others "
        "that they share memory with (are they in network namespaces of their own?)",
        static_cast<unsigned long long>(unreached[0]));
}

void close_descriptor_channel() {
  own.reset();
  addresses.clear();
  for (const auto& [key, descriptors] : std::exchange(arrived, {})) close_descriptors(descriptors);
  lost_some = usable = false;
}

bool can_pass_descriptors() { return usable; }

void pass_descriptors(int pe, int key, std::span<const int> descriptors) {
  while (!descriptors.empty()) {
    const auto some = descriptors.first(std::min(descriptors.size(), DescriptorSocket::most_at_once));
    SKEIN_CHECK(send(pe, key, some), "%s could not be passed to PE %d: %s", owner_of(key).c_str(), pe,
                strerror(errno));
    descriptors = descriptors.subspan(some.size());
  }
}

bool serve_descriptors() {
  if (!own || !own->is_open()) return false;
  bool any = false;
  while (const std::optional<DescriptorMessage> message = own->receive()) {
    any = true;
    if (message->key == greeting && message->from >= 0 && message->from < world.pes)
      heard[static_cast<std::size_t>(message->from)] = true;
    std::vector<int>& all = arrived[message->key];
    all.insert(all.end(), message->descriptors.begin(), message->descriptors.end());
    lost_some |= !message->complete;
  }
  return any;
}

void arrive_descriptors() {
  // What was sent before the barrier is in its receiver's socket after it.
  barrier(serve_descriptors);
  (void)serve_descriptors();
}

std::vector<int> take_descriptors(int key, std::size_t count) {
  std::vector<int>& all = arrived[key];
  SKEIN_CHECK(all.size() >= count, "of %zu descriptors %zu have come (%s)%s", count, all.size(),
              owner_of(key).c_str(),
              lost_some ? ": this PE is at its limit of open files, raise it (ulimit -n)" : "");
  // A PE that is ahead may have passed more by this key already.
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
  const std::vector<int> taken(all.begin(), end);
  all.erase(all.begin(), end);
  if (all.empty()) arrived.erase(key);
  return taken;
}

}  // namespace skein::net
