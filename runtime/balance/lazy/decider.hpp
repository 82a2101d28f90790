// SPDX-License-Identifier: Apache-2.0
// The deciding side of lazy balancing: the shares that have come, and the strategy, which works on a thread
// of its own. So the PE answers meanwhile, takes part in meetings, and can say when the strategy takes too
// long.
//
// One PE of these has the coordinator of the protocol. Where several decide together, the others pass on to
// it what their members say, in its order, and begin when it tells them: the threads of all then decide on
// the communicator that they have for themselves.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/balance/lazy/messages.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/balance/step_config.hpp"
#include "runtime/balance/team.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/live_mode.hpp"

namespace skein::balance {

/// Whether this PE decides, alone or with others.
bool decides_here();
void start_deciding(const StepConfig& config, lb::lazy::Point from, lb::LazyTrial trial);
/// What a member of this decider says; of a share that longer than a message, in pieces.
void hear_member(int member, const ToCoordinator& message, std::span<const std::byte> piece);
/// Returns whether anything happened.
bool go_on_deciding();
bool strategy_works();

/// At the agreed sync point, on the coordinator's PE: plans what becomes of the decision on the objects that
/// there are, whose shares these are.
void plan_late(const net::PeBlocks& shares, Plan& plan);
/// As plan_late(), but a team has decided, each PE for its own part. Collective over the team.
void plan_late_together(TeamShares& shares, Plan& plan);
/// With what moving took on this PE. Collective.
void learn_late(double moving_s);
void note_decision_applied();
/// What members may have heard of so far is not applied: this PE had not answered for long.
void drop_decision(std::uint64_t drop);
/// The job is over; what is being decided is of no use, and nothing else is begun.
void stop_deciding();
/// Once all messages have come after that. A thread that works is waited for where the process goes on, for
/// no longer than the user's patience, and where it calls the MPI underneath, as long as it does.
void finish_deciding(AfterJob after);

}  // namespace skein::balance
