// SPDX-License-Identifier: Apache-2.0
// Sides handle one message at a time, in the order in which messages reach them: a sending side when it gets
// a message, a receiving side when the first byte arrives, which is an event of its own. Links of a torus or
// fat tree learn of a message when it is sent (link_windows.hpp); the slowest link on its way sets its pace.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "lb/simulate/horizon.hpp"
#include "lb/simulate/large_pages.hpp"
#include "lb/simulate/link_windows.hpp"
#include "lb/simulate/network.hpp"
#include "lb/simulate/nodes.hpp"
#include "lb/simulate/routes.hpp"
#include "lb/simulate/time_queue.hpp"

namespace skein::simulate {
namespace {

/// The times when a sending and a receiving side become free.
struct Sides {
  Ns sends_until = 0;
  Ns receives_until = 0;
};

/// The links between the sides of nodes.
class SharedLinks {
 public:
  explicit SharedLinks(const Platform& platform)
      : routes_(platform),
        windows_(routes_.link_count()),
        hop_ns_(std::llround(platform.links.hop_ns)),
        byte_ns_(platform.links.byte_ns),
        width_(std::clamp<Ns>(std::llround(platform.network.latency_ns), narrowest, LinkWindows::widest)) {}

  struct Passage {
    Ns first, last;  // when the first byte leaves, and the last one at the earliest
  };
  Ns work(std::uint64_t bytes) const {
    return whole_ns(static_cast<double>(bytes) * byte_ns_, "a message on a link (links.byte_ns)");
  }
  void prefetch(std::uint32_t from, std::uint32_t to) {
    for (const LinkIndex link : routes_.between(from, to)) prefetch_line(&windows_[link]);
  }
  /// Passes a message; `work`: the time that it occupies each link.
  Passage pass(std::uint32_t from, std::uint32_t to, Ns work, Ns now, Ns begin) {
    const std::vector<LinkIndex>& route = routes_.between(from, to);
    Passage result{begin, begin};
    for (const LinkIndex link : route) {
      const LinkWindows::Passage passed = windows_[link].take(now, result.first, work, width_);
      result.first = passed.begin + hop_ns_;
      result.last = std::max(result.last, passed.end) + hop_ns_;
    }
    return result;
  }

 private:
  /// The order of messages within less than the latency cannot be noticed.
  static constexpr Ns narrowest = 500;

  Routes routes_;
  std::vector<LinkWindows> windows_;
  Ns hop_ns_;
  double byte_ns_;
  Ns width_;
};

class FastNetwork final : public Network {
 public:
  explicit FastNetwork(const Platform& platform)
      : platform_(platform),
        nodes_(platform_),
        side_of_pe_(platform.pe_count()),
        side_of_node_(platform.node_of(platform.pe_count() - 1) + 1) {
    if (platform.links.kind != NetworkKind::flat) links_.emplace(platform);
  }

  void send(std::uint64_t message, PeIndex from, PeIndex to, std::uint64_t bytes, Ns at) override {
    const PeIndex from_node = nodes_.of(from), to_node = nodes_.of(to);
    const bool inside = from_node == to_node;
    const Pace& of = pace(inside, bytes);
    Sides& sender = inside ? side_of_pe_[from] : side_of_node_[from_node];
    const Ns begin = std::max(at, sender.sends_until);
    sender.sends_until = begin + of.duration;
    if (sender.sends_until >= kHorizonNs) [[unlikely]]
      fail_beyond_horizon(platform_);
    SharedLinks::Passage passed{begin, begin};
    if (links_ && !inside) passed = links_->pass(from_node, to_node, of.work, at, begin);
    events_.push(passed.first + of.latency, sent_++,
                 {message, of.duration, passed.last + of.latency,
                  inside ? &side_of_pe_[to] : &side_of_node_[to_node]});
  }

  void prefetch(PeIndex from, PeIndex to) override {
    const PeIndex from_node = nodes_.of(from), to_node = nodes_.of(to);
    const bool inside = from_node == to_node;
    const std::vector<Sides>& sides = inside ? side_of_pe_ : side_of_node_;
    prefetch_line(&sides[inside ? from : from_node]);
    prefetch_line(&sides[inside ? to : to_node]);
    if (links_ && !inside) links_->prefetch(from_node, to_node);
  }

  Ns lookahead() const override {
    const double least = platform_.pes_per_node > 1
                             ? std::min(platform_.node.latency_ns, platform_.network.latency_ns)
                             : platform_.network.latency_ns;
    return std::llround(least);
  }

  bool is_flat_inside() const override { return true; }

  Ns next() override { return events_.empty() ? kNever : events_.top().at; }

  Delivery take() override {
    Events::Item event = events_.top();
    events_.pop();
    Arriving& message = event.value;
    const Ns now = event.at;
    if (message.receiver) {  // its first byte
      const Ns begin = std::max(now, message.receiver->receives_until);
      message.receiver->receives_until = begin + message.duration;
      if (begin >= kHorizonNs) [[unlikely]]
        fail_beyond_horizon(platform_);
      message.receiver = nullptr;
      event.at = std::max(begin + message.duration, message.last);
      if (event.at > now) {
        events_.push(event.at, event.order, message);
        return {Delivery::none, now};
      }
    }
    return {message.number, now};
  }

 private:
  /// The times for the last length: most messages are as long as the one before.
  struct Pace {
    std::uint64_t bytes = ~std::uint64_t{0};
    Ns duration = 0;  // of a side
    Ns work = 0;      // of a link
    Ns latency = 0;
  };
  const Pace& pace(bool inside, std::uint64_t bytes) {
    Pace& last = paces_[inside];
    if (last.bytes != bytes) {
      const Level& level = inside ? platform_.node : platform_.network;
      last = {bytes, side_time(level, bytes), links_ ? links_->work(bytes) : 0,
              std::llround(level.latency_ns)};
    }
    return last;
  }

  struct Arriving {
    std::uint64_t number;
    Ns duration;
    Ns last;          // the earliest time of its last byte
    Sides* receiver;  // null once it has the message
  };
  using Events = TimeQueueOf<Arriving>;

  const Platform platform_;
  const Nodes nodes_;
  Pace paces_[2];  // between nodes, and within one
  std::vector<Sides> side_of_pe_, side_of_node_;
  std::optional<SharedLinks> links_;
  Events events_;
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
  return whole_ns(level.send_ns + static_cast<double>(bytes) * level.send_byte_ns,
                  "sending a message (send_ns, send_byte_ns)");
}

Ns receive_time(const Level& level, std::uint64_t bytes) {
  return whole_ns(level.receive_ns + static_cast<double>(bytes) * level.receive_byte_ns,
                  "receiving a message (receive_ns, receive_byte_ns)");
}

Ns side_time(const Level& level, std::uint64_t bytes) {
  return whole_ns(level.gap_ns + static_cast<double>(bytes) * level.byte_ns,
                  "a message on its way (gap_ns, byte_ns)");
}

Ns fetch_time(const Level& level, std::uint64_t bytes) {
  return whole_ns(static_cast<double>(bytes) * level.fetch_byte_ns, "fetching a message (fetch_byte_ns)");
}

}  // namespace skein::simulate
