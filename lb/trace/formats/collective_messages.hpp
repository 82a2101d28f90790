// SPDX-License-Identifier: Apache-2.0
// Collectives as point-to-point messages, for formats without communicators other than the world.
//
// A blocking collective becomes the messages that Skein's MPI sends if every rank has a PE of its own
// (lb/collectives/). Operations are assumed to commute, and elements to have 8 bytes.
//
// A nonblocking collective goes on while its members do other things; steps after its first would need a
// caller. So it becomes messages without further steps: at its start each member sends its own data to all
// that need it, and the wait for the collective waits for all these messages. That makes more messages than
// real trees, and fewer steps. Collectives between two groups (intercommunicators) become the same, and wait
// at once.
#pragma once
#include <memory_resource>

#include "lb/collectives/steps.hpp"
#include "lb/trace/formats/collectives.hpp"

namespace skein::trace {

/// Steps whose peers are places in the communicator (Collectives::place()).
using StepList = std::pmr::vector<collectives::Step>;

/// Returns the steps of the member at place `self`.
StepList blocking_steps(const Collectives& collectives, const Communicator& communicator,
                        const CollectiveCall& call, std::size_t self);
/// Returns the steps of a nonblocking collective, without a wait.
StepList nonblocking_steps(const Collectives& collectives, const Communicator& communicator,
                           const CollectiveCall& call, std::size_t self);

}  // namespace skein::trace
