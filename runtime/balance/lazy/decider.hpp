// SPDX-License-Identifier: Apache-2.0
// The deciding side of lazy balancing: the shares that have come, and the strategy, which works on a thread
// of its own. Meanwhile the PE answers, takes part in meetings, and can say when the strategy takes too long.
//
// One of the deciding PEs has the coordinator of the protocol. Where several decide together, the others pass
// on to it what their members say, in its order, and begin when it tells them: their threads then decide on a
// communicator of their own.
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

/// Returns true if this PE decides, alone or with others.
bool decides_here();
void start_deciding(const StepConfig& config, lb::lazy::Point from, lb::LazyTrial trial);
/// Handles a message of a member of this decider. A share that is longer than a message comes in pieces.
void hear_member(int member, const ToCoordinator& message, std::span<const std::byte> piece);
/// Continues deciding. Returns true if anything happened.
bool go_on_deciding();
bool strategy_works();

/// Plans, at the agreed sync point and on the coordinator's PE, how the decision applies to the present
/// objects, whose shares these are.
void plan_late(const net::PeBlocks& shares, Plan& plan);
/// Plans like plan_late() where a team has decided, each PE for its own part. Collective over the team.
void plan_late_together(TeamShares& shares, Plan& plan);
/// Teaches the model of --lb auto what the decision and moving took on this PE. Collective.
void learn_late(double moving_s);
void note_decision_applied();
/// Drops decisions of which members may have heard so far, up to `drop`: this PE had not answered for long.
void drop_decision(std::uint64_t drop);
/// Stops deciding at the end of the job: a decision under way is of no use, and no other begins.
void stop_deciding();
/// Finishes, once all messages after stop_deciding() have come. Where the process goes on, waits for a
/// working thread, at most for the user's patience; where that thread calls the MPI underneath, as long as it
/// takes.
void finish_deciding(AfterJob after);

}  // namespace skein::balance
