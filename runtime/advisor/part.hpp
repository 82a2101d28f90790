// SPDX-License-Identifier: Apache-2.0
// What processes told several that decide together: each of these has the elements of some, and no one all of
// them. The counterpart of assemble() (told.hpp), with what is wrong found together.
#pragma once
#include <cstddef>
#include <vector>

#include "runtime/advisor/told.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::advisor {

/// The members of an advisor that report to this process, rising, and what they have reported.
struct ToldHere {
  std::vector<int> members;
  ProcessReport told;  // in this order
};

struct Part {
  lb::SnapshotPart snapshot;               // own elements in the order that they were told, loads in seconds
  std::vector<std::size_t> first;          // own element of each member here, and one past the last
  std::vector<double> modelled, measured;  // of each member: sum of weights, seconds
};

/// Collective. Throws std::invalid_argument on all alike for what a member gave wrong. `members`: of the
/// advisor. What interactions say no strategy knows that several decide by, so they are not looked at.
Part make_part(const ToldHere& here, std::size_t members, lb::Team& team);

}  // namespace skein::advisor
