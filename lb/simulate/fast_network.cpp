// SPDX-License-Identifier: Apache-2.0
// Sides take one message at a time, in the order in which messages come to them: a sending side when it is
// given one, a receiving side when the first byte arrives, which is an event of its own.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lb/simulate/network.hpp"
#include "lb/simulate/time_queue.hpp"

namespace skein::simulate {
namespace {

// A sending and a receiving side: when each has nothing to do any more.
struct Sides {
  Ns sends_until = 0;
  Ns receives_until = 0;
};

class FastNetwork final : public Network {
 public:
  explicit FastNetwork(const Platform& platform)
      : platform_(platform),
        side_of_pe_(platform.pe_count()),
        side_of_node_(platform.node_of(platform.pe_count() - 1) + 1) {}

  void send(std::uint64_t message, PeIndex from, PeIndex to, std::uint64_t bytes, Ns at) override {
    const PeIndex from_node = platform_.node_of(from), to_node = platform_.node_of(to);
    const bool inside = from_node == to_node;
    const Level& level = inside ? platform_.node : platform_.network;
    Sides& sender = inside ? side_of_pe_[from] : side_of_node_[from_node];
    const Ns duration = std::llround(level.gap_ns + static_cast<double>(bytes) * level.byte_ns);
    const Ns begin = std::max(at, sender.sends_until);
    sender.sends_until = begin + duration;
    const std::uint32_t slot = new_slot();
    in_flight_[slot] = {message, duration, inside ? &side_of_pe_[to] : &side_of_node_[to_node]};
    events_.push({begin + std::llround(level.latency_ns), sent_++, slot});
  }

  Ns next() override { return events_.empty() ? never : events_.top().at; }

  Delivery take() override {
    const TimeQueue::Item event = events_.top();
    events_.pop();
    InFlight& message = in_flight_[event.value];
    if (message.receiver) {  // its first byte
      const Ns begin = std::max(event.at, message.receiver->receives_until);
      const Ns end = begin + message.duration;
      message.receiver->receives_until = end;
      message.receiver = nullptr;
      if (end > event.at) {
        events_.push({end, event.order, event.value});
        return {Delivery::none, event.at};
      }
    }
    free_.push_back(event.value);
    return {message.number, event.at};
  }

 private:
  struct InFlight {
    std::uint64_t number;
    Ns duration;
    Sides* receiver;  // null once it has the message
  };

  std::uint32_t new_slot() {
    if (free_.empty()) {
      in_flight_.emplace_back();
      return static_cast<std::uint32_t>(in_flight_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  const Platform platform_;
  std::vector<Sides> side_of_pe_, side_of_node_;
  std::vector<InFlight> in_flight_;
  std::vector<std::uint32_t> free_;  // of in_flight_
  TimeQueue events_;
  std::uint64_t sent_ = 0;
};

}  // namespace

std::unique_ptr<Network> make_fast_network(const Platform& platform) {
  return std::make_unique<FastNetwork>(platform);
}

const Level& level_between(const Platform& platform, PeIndex from, PeIndex to) {
  if (from == to) return platform.pe;
  return platform.node_of(from) == platform.node_of(to) ? platform.node : platform.network;
}

Ns send_time(const Level& level, std::uint64_t bytes) {
  return std::llround(level.send_ns + static_cast<double>(bytes) * level.send_byte_ns);
}

Ns receive_time(const Level& level, std::uint64_t bytes) {
  return std::llround(level.receive_ns + static_cast<double>(bytes) * level.receive_byte_ns);
}

}  // namespace skein::simulate
