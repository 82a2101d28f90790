// SPDX-License-Identifier: Apache-2.0
// Collectives as point-to-point messages, for formats that know no communicators, or none but the world.
//
// A blocking collective becomes the messages that Skein's MPI sends for it if every rank has a PE of its own
// (runtime/vmpi/coll/): dissemination for a barrier, binomial trees, recursive doubling, rings, Bruck's and
// pairwise exchanges, chosen by the same sizes. Operations are taken to commute, and elements to have 8
// bytes.
//
// A nonblocking one goes on while its members do other things, which takes more than one step only if
// somebody makes them. So it becomes what needs none: everybody sends right at its start to all who need what
// he has, as it is, and the wait for it is one for all messages. These are more messages than the real ones
// of trees, and fewer steps. So do collectives between two groups (intercommunicators), which wait at once.
#pragma once
#include <cstdint>
#include <vector>

#include "lb/trace/formats/collectives.hpp"

namespace skein::trace {

struct CollectiveStep {
  enum class Kind : std::uint8_t {
    send,     // is started
    receive,  // is started
    wait,     // for all that were started since the last one
  };
  Kind kind = Kind::wait;
  std::size_t peer = 0;  // place in the communicator (Collectives::place())
  std::uint64_t bytes = 0;
  bool operator==(const CollectiveStep&) const = default;
};

/// What the member at place `self` does.
std::vector<CollectiveStep> blocking_steps(const Collectives& collectives, const Communicator& communicator,
                                           const CollectiveCall& call, std::size_t self);
/// The steps of a nonblocking collective, without a wait.
std::vector<CollectiveStep> nonblocking_steps(const Collectives& collectives,
                                              const Communicator& communicator, const CollectiveCall& call,
                                              std::size_t self);

}  // namespace skein::trace
