// SPDX-License-Identifier: Apache-2.0
// Carries messages between PEs in a simulation. Engines differ in how messages delay each other.
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
  /// Sends a message from PE `from`, whose own time for it (send_time()) has passed. Times never go back from
  /// call to call. `message` is the caller's number for it. from != to.
  virtual void send(std::uint64_t message, PeIndex from, PeIndex to, std::uint64_t bytes, Ns at) = 0;
  /// Prefetches memory for a message that will soon be sent.
  virtual void prefetch(PeIndex /*from*/, PeIndex /*to*/) {}
  /// Returns the time of the next event if nothing is sent before; `never` if nothing is under way.
  virtual Ns next() = 0;
  /// Makes the next event: a message arrives, or `none` for an event inside the network. The caller must add
  /// receive_time(). Of messages that arrive at equal times the one sent first comes first.
  virtual Delivery take() = 0;
  /// Events before t + lookahead() do not depend on messages sent at t: send() may be called that much late.
  virtual Ns lookahead() const { return 0; }
  /// Returns true if messages from one PE to another arrive in the order in which they were sent.
  virtual bool keeps_order() const { return true; }
  /// Returns true if a message inside a node waits only for its PE's sending side, which each earlier message
  /// occupies for side_time(), and then for the receiving side, in the order of first bytes, each of which
  /// arrives the level's latency after its sending began. Then the caller need not send() such messages.
  virtual bool is_flat_inside() const { return false; }
};

/// Makes Skein's own engine: latency, overhead and gap of a level; a node's injecting and ejecting sides
/// handle one message at a time; messages share links of a torus or fat tree in windows of time.
std::unique_ptr<Network> make_fast_network(const Platform& platform);
/// Makes the engine with flow-level contention by libsimgrid, whose module it loads. Throws SimulationError,
/// which names the package, if there is none.
std::unique_ptr<Network> make_simgrid_network(const Platform& platform);

/// Returns the level of a message between these PEs.
const Level& level_between(const Platform& platform, PeIndex from, PeIndex to);

/// Return how long a message keeps its sender or receiver busy, beyond the same call between ranks of one PE.
Ns send_time(const Level& level, std::uint64_t bytes);
Ns receive_time(const Level& level, std::uint64_t bytes);
/// Returns how long a message keeps a sending or receiving side busy.
Ns side_time(const Level& level, std::uint64_t bytes);
/// Returns the receiver's time for copying a message inside a node that is not eager.
Ns fetch_time(const Level& level, std::uint64_t bytes);

}  // namespace skein::simulate

/// The one function of the module around SimGrid, which is loaded on demand, so that nothing else depends on
/// SimGrid. It is built together with its loader. The number changes with Platform and Network. Throws
/// SimulationError; the caller deletes the result.
#define SKEIN_SIMULATE_SIMGRID skein_simulate_simgrid_3
extern "C" __attribute__((visibility("default"))) skein::simulate::Network* SKEIN_SIMULATE_SIMGRID(
    const skein::simulate::Platform& platform);
