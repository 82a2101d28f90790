// SPDX-License-Identifier: Apache-2.0
// The deciding side of lazy balancing, on one PE: the coordinator of the protocol, the shares that have come,
// and the strategy, which works on a thread of its own. So the PE answers meanwhile, takes part in meetings,
// and can say when the strategy takes too long.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/balance/lazy_messages.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/balance/step_config.hpp"

namespace skein::balance {

/// `to_member`: the handler of messages to members.
void start_deciding(const StepConfig& config, int to_member);
void hear_member(int member, const ToCoordinator& message, std::span<const std::byte> piece);
/// Returns whether anything happened.
bool go_on_deciding();
bool strategy_works();

/// At the agreed sync point: what becomes of the decision on the objects that there are, whose shares these
/// are.
Plan plan_late(const Interval& interval, const net::PeBlocks& shares);
/// With what moving took on this PE. Collective.
void learn_late(double moving_s);
void note_decision_applied();
/// The job is over; what is being decided is of no use.
void stop_deciding();

}  // namespace skein::balance
