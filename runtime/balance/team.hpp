// SPDX-License-Identifier: Apache-2.0
// Several PEs that decide together, reserved for that or not, by a parallel strategy (skein/lb/parallel.hpp).
// Each gets the shares of a block of the computing PEs, decides about their objects, and tells those PEs
// alone where their own go. What all get to know are numbers by PE.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/balance/objects.hpp"
#include "runtime/balance/plan.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::balance {

/// After assign_roles() and before the first LB step. Collective.
void start_team();
bool has_team();
/// On the PEs that are of it; else null.
lb::Team* own_team();

/// This PE's part of the snapshot. Collective over the team, which the calling thread has for itself.
lb::SnapshotPart make_own_part(const lb::MeasuredPart& measured, const lb::PlannerConfig& config);

/// On a PE of the team: the shares of its block of PEs, those of others empty; and what was decided by them.
struct TeamShares {
  net::PeBlocks blocks;
  lb::Assignment places = {};                 ///< of the objects in these shares, one behind the other
  std::vector<std::size_t> first_of_pe = {};  ///< of these, by PE

  /// What was decided for the objects in these shares, which the part is of. Collective over the team; the
  /// plan gets all but what send_places() gives.
  void take(lb::StepPlan decided, const lb::SnapshotPart& part, Plan& plan);
};

/// Collective. `share`: of this PE's objects.
TeamShares send_shares(const std::vector<std::byte>& share);
/// Tells all PEs of the plan, and each where its own objects go. Collective.
void send_places(const TeamShares& shares, Plan& plan);
/// Moves this PE's objects where they were told to go. Collective.
MoveTotals move_own_of(const Plan& plan);

}  // namespace skein::balance
