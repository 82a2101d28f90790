// SPDX-License-Identifier: Apache-2.0
// The network by SimGrid: flows that share links max-min fairly (P. Velho, L. M. Schnorr, H. Casanova, A.
// Legrand, "On the validity of flow-level TCP network models for grid and cloud simulations", ACM TOMACS
// 23(4), 2013; here without the terms of TCP). Built as libskein_simulate_simgrid.so, around libsimgrid.
//
// A message is a communication between two hosts, which are nodes; the fast network carries messages inside a
// node. SimGrid is driven from outside, without actors: its network model tells the time of the next change,
// and the clock is advanced to it. A second of SimGrid is a nanosecond here, and a byte of SimGrid is 1/64 of
// a byte here, so that its rounding is far below a nanosecond.
//
// SimGrid's state belongs to the process: there is one network at a time, and a thread that makes another one
// waits.
#include <xbt/log.h>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "lb/simulate/network.hpp"
#include "lb/simulate/routes.hpp"

namespace skein::simulate {
namespace {

namespace s4u = simgrid::s4u;
using simgrid::kernel::resource::Action;
using simgrid::kernel::resource::Model;
using simgrid::kernel::resource::NetworkAction;

/// The limit of nodes: SimGrid has a table of all pairs.
constexpr std::uint32_t kMostNodes = 4096;
constexpr double kUnitsOfByte = 64;
/// Flows have weights of 1 / latency, and a flow with a weight below kSharingPrecision gets nothing.
constexpr const char* kSharingPrecision = "maxmin/precision:1e-12";
constexpr double kLongestLatencyNs = 1e9;
/// A bandwidth at which no message takes measurable time, if bytes take no time.
constexpr double kUnlimited = 1e15;

/// Restores the handlers of Ctrl-C and of faults, which SimGrid replaces.
class KeepSignals {
 public:
  KeepSignals() {
    for (std::size_t i = 0; i < std::size(numbers); ++i) sigaction(numbers[i], nullptr, &actions_[i]);
  }
  ~KeepSignals() {
    for (std::size_t i = 0; i < std::size(numbers); ++i) sigaction(numbers[i], &actions_[i], nullptr);
  }

 private:
  static constexpr int numbers[] = {SIGINT, SIGSEGV, SIGFPE, SIGABRT, SIGTERM};
  struct sigaction actions_[std::size(numbers)];
};

/// The network of the process. SimGrid's callbacks cannot be removed: they serve the present network.
class SimgridNetwork;
struct Presence {
  std::mutex only_one;
  SimgridNetwork* network = nullptr;
} presence;

class SimgridNetwork final : public Network {
 public:
  explicit SimgridNetwork(const Platform& platform)
      : platform_(platform), lock_(presence.only_one), inside_(make_fast_network(platform)) {
    const KeepSignals keep;
    start_engine();
    make_nodes();
    for (Model* const model : s4u::Engine::get_instance()->get_all_models())
      if (model->get_name().starts_with("Network")) model_ = model;
    if (!model_) throw SimulationError("SimGrid has no network model; versions from 3.32 on have one");
    start_ = s4u::Engine::get_clock();
    presence.network = this;
  }

  ~SimgridNetwork() override {
    const KeepSignals keep;
    presence.network = nullptr;
    under_way_.clear();
    arrived_.clear();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    // No other call lets a process make another engine; SimGrid 3.32 still has it.
    s4u::Engine::get_instance()->shutdown();
#pragma GCC diagnostic pop
  }

  void send(std::uint64_t message, PeIndex from, PeIndex to, std::uint64_t bytes, Ns at) override {
    const std::uint32_t from_node = platform_.node_of(from), to_node = platform_.node_of(to);
    if (from_node == to_node) {
      inside_->send(message, from, to, bytes, at);
      return;
    }
    run_until(start_ + static_cast<double>(at));
    connect(from_node, to_node);
    const Level& level = platform_.network;
    const double extra = level.byte_ns > 0 ? level.gap_ns / level.byte_ns : 0;
    const double units = (static_cast<double>(bytes) + extra) * kUnitsOfByte;
    const auto size = static_cast<std::uint64_t>(std::llround(std::max(units, 1.0)));
    const s4u::CommPtr comm = s4u::Comm::sendto_async(hosts_[from_node], hosts_[to_node], size);
    // The declaration of NetworkAction, which derives from Action, is internal to SimGrid: the address
    // identifies it.
    under_way_[&model_->get_started_action_set()->back()] = {message, comm};
  }

  Ns next() override {
    if (!arrived_.empty()) return arrived_.front().at;
    return std::min(next_between_nodes(), inside_->next());
  }

  Delivery take() override {
    if (arrived_.empty()) {
      if (inside_->next() <= next_between_nodes()) return inside_->take();
      const Ns at = next_between_nodes();
      run_to_change();
      if (arrived_.empty()) return {Delivery::none, at};  // the change was the arrival of a first byte
    }
    const Delivery first = arrived_.front();
    arrived_.pop_front();
    return first;
  }

  /// Flows share links, so a short message overtakes.
  bool keeps_order() const override { return false; }

  void ended(const NetworkAction& action) {
    const auto found = under_way_.find(&action);
    if (found == under_way_.end()) return;
    arrived_.push_back({found->second.message, time_of(s4u::Engine::get_clock())});
    ended_.push_back(std::move(found->second.comm));  // an action must not be destroyed in its own callback
    under_way_.erase(found);
  }

 private:
  struct UnderWay {
    std::uint64_t message;
    s4u::CommPtr comm;
  };

  static void start_engine() {
    static const bool first = [] {
      s4u::Link::on_communication_state_change_cb([](NetworkAction& action, Action::State) {
        if (presence.network) presence.network->ended(action);
      });
      return true;
    }();
    static_cast<void>(first);
    xbt_log_control_set("root.thresh:error");
    char name[] = "skein";  // SimGrid copies it
    char* arguments[] = {name, nullptr};
    int count = 1;
    static_cast<void>(new s4u::Engine(&count, arguments));  // shutdown() deletes it
    static const bool configured = [] {
      s4u::Engine::set_config("network/model:CM02");
      s4u::Engine::set_config("network/crosstraffic:0");
      s4u::Engine::set_config("network/TCP-gamma:1e18");
      // Flows share by the inverse of their latencies, which are large in this unit of time: with the usual
      // precision of 1e-5, flows with latencies of 100 us and more would get nothing.
      s4u::Engine::set_config(kSharingPrecision);
      return true;
    }();
    static_cast<void>(configured);
  }

  static double bandwidth(double byte_ns) { return byte_ns > 0 ? kUnitsOfByte / byte_ns : kUnlimited; }

  void make_nodes() {
    zone_ = s4u::create_full_zone("machine");
    const Level& level = platform_.network;
    const auto link = [&](const std::string& name, double byte_ns, double latency_ns) {
      return zone_->create_link(name, bandwidth(byte_ns))->set_latency(latency_ns)->seal();
    };
    const std::uint32_t nodes = platform_.node_of(platform_.pe_count() - 1) + 1;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const std::string name = std::to_string(node);
      hosts_.push_back(zone_->create_host(name, 1));
      out_.push_back(link("out" + name, level.byte_ns, level.latency_ns));
      in_.push_back(link("in" + name, level.byte_ns, 0));
    }
    if (platform_.links.kind != NetworkKind::flat) {
      routes_.emplace(platform_);
      for (std::size_t i = 0; i < routes_->link_count(); ++i)
        between_.push_back(link("link" + std::to_string(i), platform_.links.byte_ns, platform_.links.hop_ns));
    }
    zone_->seal();
  }

  /// Tells SimGrid a route when it is first used, because there are many pairs.
  void connect(std::uint32_t from, std::uint32_t to) {
    if (!connected_.insert(std::uint64_t{from} << 32 | to).second) return;
    std::vector<s4u::LinkInRoute> route{s4u::LinkInRoute(out_[from])};
    if (routes_)
      for (const LinkIndex link : routes_->between(from, to)) route.emplace_back(between_[link]);
    route.emplace_back(in_[to]);
    zone_->add_route(hosts_[from]->get_netpoint(), hosts_[to]->get_netpoint(), nullptr, nullptr, route,
                     false);
  }

  Ns time_of(double clock) const { return std::llround(clock - start_); }

  Ns next_between_nodes() {
    if (under_way_.empty()) return kNever;
    const double now = s4u::Engine::get_clock();
    const double wait = model_->next_occurring_event(now);
    if (wait < 0) return kNever;
    next_change_ = now + wait;
    return time_of(next_change_);
  }

  void run_until(double clock) {
    if (clock > s4u::Engine::get_clock()) s4u::Engine::get_instance()->run_until(clock);
    ended_.clear();
  }

  /// A change may be due at once, if the rest of a flow is nothing but a rounding error. Then only the change
  /// itself brings the next one nearer, and the clock stays.
  void run_to_change() {
    s4u::Engine::get_instance()->run_until(std::max(next_change_, s4u::Engine::get_clock()));
    ended_.clear();
  }

  const Platform platform_;
  const std::lock_guard<std::mutex> lock_;
  std::unique_ptr<Network> inside_;
  s4u::NetZone* zone_ = nullptr;
  std::vector<s4u::Host*> hosts_;
  std::vector<s4u::Link*> out_, in_, between_;
  std::optional<Routes> routes_;
  std::unordered_set<std::uint64_t> connected_;
  Model* model_ = nullptr;
  double start_ = 0;  // SimGrid's clock continues from one engine to the next
  double next_change_ = 0;
  std::unordered_map<const void*, UnderWay> under_way_;
  std::vector<s4u::CommPtr> ended_;
  std::deque<Delivery> arrived_;
};

}  // namespace
}  // namespace skein::simulate

skein::simulate::Network* SKEIN_SIMULATE_SIMGRID(const skein::simulate::Platform& platform) {
  using namespace skein::simulate;
  if (platform.nodes > kMostNodes)
    throw SimulationError("the simgrid network is for up to " + std::to_string(kMostNodes) +
                          " nodes, and the platform has " + std::to_string(platform.nodes) +
                          "; the fast network takes more");
  const double longest = std::max(platform.network.latency_ns, platform.links.hop_ns);
  if (longest > kLongestLatencyNs)
    throw SimulationError("the simgrid network is for latencies of up to a second, and the platform has " +
                          std::to_string(longest * 1e-9) +
                          " s (network.latency_ns, links.hop_ns); the fast network takes more");
  return new SimgridNetwork(platform);
}
