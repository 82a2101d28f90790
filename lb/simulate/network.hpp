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

inline constexpr Ns never = std::numeric_limits<Ns>::max();

struct Delivery {
  std::uint64_t message = 0;
  Ns at = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  // A message leaves PE `from`, whose own time for it (Level::send_ns) has passed. Times never go back from
  // call to call. `message` is the caller's number for it. from != to.
  virtual void send(std::uint64_t message, PeIndex from, PeIndex to, std::uint64_t bytes, Ns at) = 0;
  // When the next one arrives, if nothing is sent before; `never`: nothing is under way.
  virtual Ns next() = 0;
  // That one, which is no longer under way. Level::receive_ns is the caller's to add. Equal times: in the
  // order of sending.
  virtual Delivery take() = 0;
};

// Own: latency, overhead and gap of a level; a node's injecting and ejecting sides take turns; links of a
// torus or fat tree are shared by windows of time.
std::unique_ptr<Network> make_fast_network(const Platform& platform);
// Flow-level contention by libsimgrid, a module that is loaded now. Throws SimulationError where there is
// none, naming the package.
std::unique_ptr<Network> make_simgrid_network(const Platform& platform);

// The level of a message between these PEs.
const Level& level_between(const Platform& platform, PeIndex from, PeIndex to);

}  // namespace skein::simulate
