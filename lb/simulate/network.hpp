// SPDX-License-Identifier: Apache-2.0
// What carries messages between PEs in a simulation: the engines behind it differ in how they let messages
// get into each other's way.
#pragma once
#include <cstdint>
#include <limits>
#include <memory>

#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::simulate {

inline constexpr Ns kNever = std::numeric_limits<Ns>::max();

struct Delivery {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t message = none;
  Ns at = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  /// A message leaves PE `from`, whose own time for it (send_time()) has passed. Times never go back from
  /// call to call. `message` is the caller's number for it. from != to.
  virtual void send(std::uint64_t message, PeIndex from, PeIndex to, std::uint64_t bytes, Ns at) = 0;
  /// Soon a message leaves for there: what will be looked at may be brought into the cache.
  virtual void prefetch(PeIndex /*from*/, PeIndex /*to*/) {}
  /// When something happens next, if nothing is sent before; `never`: nothing is under way.
  virtual Ns next() = 0;
  /// What happens then: a message arrives, or `none`, for something within the network. receive_time() is the
  /// caller's to add. Of those that arrive at equal times the one that was sent first comes first.
  virtual Delivery take() = 0;
  /// What happens before t + this is not changed by what is sent at t: send() may be told that much late.
  virtual Ns lookahead() const { return 0; }
  /// Whether messages from one PE to another arrive in the order in which they were sent.
  virtual bool keeps_order() const { return true; }
  /// Whether a message inside a node waits for nothing but the sending side of its PE, for as long as
  /// side_time() says of each message before it, then for the receiving side, in the order of first bytes, of
  /// which each comes the level's latency after it was begun to be sent. Then who calls need not send() it.
  virtual bool is_flat_inside() const { return false; }
};

/// Own: latency, overhead and gap of a level; a node's injecting and ejecting sides take turns; links of a
/// torus or fat tree are shared by windows of time.
std::unique_ptr<Network> make_fast_network(const Platform& platform);
/// Flow-level contention by libsimgrid, a module that is loaded now. Throws SimulationError where there is
/// none, naming the package.
std::unique_ptr<Network> make_simgrid_network(const Platform& platform);

/// The level of a message between these PEs.
const Level& level_between(const Platform& platform, PeIndex from, PeIndex to);

/// What a message keeps its sender and its receiver busy for, beyond the same call between ranks of one PE.
Ns send_time(const Level& level, std::uint64_t bytes);
Ns receive_time(const Level& level, std::uint64_t bytes);
/// How long it keeps a sending or receiving side busy.
Ns side_time(const Level& level, std::uint64_t bytes);
/// The receiver's time for copying a message inside a node that is not eager.
Ns fetch_time(const Level& level, std::uint64_t bytes);

}  // namespace skein::simulate

/// The one function of the module around SimGrid, which is loaded when its network is asked for, so that
/// nothing else depends on SimGrid. It is built together with what loads it. The number changes with Platform
/// and Network. Throws SimulationError; the caller deletes what it returns.
#define SKEIN_SIMULATE_SIMGRID skein_simulate_simgrid_3
extern "C" __attribute__((visibility("default"))) skein::simulate::Network* SKEIN_SIMULATE_SIMGRID(
    const skein::simulate::Platform& platform);
