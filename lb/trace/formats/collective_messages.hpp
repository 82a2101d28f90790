// SPDX-License-Identifier: Apache-2.0
// Collectives as point-to-point messages, for formats that know no communicators, or none but the world.
//
// A blocking collective becomes the messages that Skein's MPI sends for it if every rank has a PE of its own
// (lb/collectives/). Operations are taken to commute, and elements to have 8 bytes.
//
// A nonblocking one goes on while its members do other things, which takes more than one step only if
// somebody makes them. So it becomes what needs none: everybody sends right at its start to all who need what
// he has, as it is, and the wait for it is one for all messages. These are more messages than the real ones
// of trees, and fewer steps. So do collectives between two groups (intercommunicators), which wait at once.
#pragma once
#include <memory_resource>

#include "lb/collectives/steps.hpp"
#include "lb/trace/formats/collectives.hpp"

namespace skein::trace {

/// Peers are places in the communicator (Collectives::place()).
using StepList = std::pmr::vector<collectives::Step>;

/// What the member at place `self` does.
StepList blocking_steps(const Collectives& collectives, const Communicator& communicator,
                        const CollectiveCall& call, std::size_t self);
/// The steps of a nonblocking collective, without a wait.
StepList nonblocking_steps(const Collectives& collectives, const Communicator& communicator,
                           const CollectiveCall& call, std::size_t self);

}  // namespace skein::trace
