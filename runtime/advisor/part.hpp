// SPDX-License-Identifier: Apache-2.0
// Reports of processes to several deciders: each of these has the elements of some processes, and none has
// all. Does what assemble() (told.hpp) does, and finds errors together.
#pragma once
#include <cstddef>
#include <vector>

#include "runtime/advisor/told.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::advisor {

/// The members of an advisor that report to this process, rising, and their reports.
struct ToldHere {
  std::vector<int> members;
  ProcessReport told;  // in the order of the members
};

struct Part {
  lb::SnapshotPart snapshot;               // own elements in the order of the reports, loads in seconds
  std::vector<std::size_t> first;          // first own element of each member here, and one past the last
  std::vector<double> modelled, measured;  // for each member: sum of weights, seconds
};

/// Makes this process's part. Collective. Throws std::invalid_argument on all alike for wrong input of a
/// member. `members`: of the advisor. Ignores interactions, which no parallel strategy knows.
Part make_part(const ToldHere& here, std::size_t members, lb::Team& team);

}  // namespace skein::advisor
