// SPDX-License-Identifier: Apache-2.0
// Several PEs that decide together, reserved for that or not, by a parallel strategy (skein/lb/parallel.hpp).
// Each gets the shares of a block of the computing PEs, decides about their objects, and tells only those PEs
// where their objects go. All PEs get only numbers by PE.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::balance {

/// Makes the team, after assign_roles() and before the first LB step. Collective.
void start_team();
bool has_team();
/// Returns the team on its PEs, else null.
lb::Team* own_team();

/// Makes this PE's part of the snapshot. Collective over the team, which the calling thread has for itself.
lb::SnapshotPart make_own_part(const lb::MeasuredPart& measured, const lb::PlannerConfig& config);

/// On a PE of the team: the shares of its block of PEs (those of others are empty) and the decision about
/// their objects.
struct TeamShares {
  net::PeBlocks blocks;
  lb::Assignment places = {};                 ///< PEs of the objects in these shares, one behind the other
  std::vector<std::size_t> first_of_pe = {};  ///< first place of each PE in `places`

  /// Takes the decision about the objects in these shares, from which `part` was made. Collective over the
  /// team; fills the plan but for what send_places() gives.
  void take(lb::StepPlan decided, const lb::SnapshotPart& part, Plan& plan);
};

/// Sends the share of this PE's objects to the PE that decides about them. Collective.
TeamShares send_shares(const std::vector<std::byte>& share);
/// Sends the plan to all PEs, and to each the places of its own objects. Collective.
void send_places(const TeamShares& shares, Plan& plan);
/// Moves this PE's objects to their places in the plan. Collective.
MoveTotals move_own_of(const Plan& plan);

}  // namespace skein::balance
