// SPDX-License-Identifier: Apache-2.0
#include "lb/parallel/by_position.hpp"

#include "lb/parallel/problem.hpp"

namespace skein::lb {
namespace {

/// Zoltan cuts with a tolerance, and what one process cuts without any is levelled to this.
constexpr double kTolerance = 1.05;

}  // namespace

Assignment partition_by_position(Flavour method, const SnapshotPart& part, std::uint64_t seed, Team& team) {
  const PartitionProblem problem = make_part_problem(part, {.positions = true}, team);
  PartitionRequest request = problem.request();
  request.flavour = method;
  request.tolerance = kTolerance - 1;
  request.seed = static_cast<std::uint32_t>(seed);
  return solve_part(uses_zoltan, part, problem, request, kTolerance, team);
}

}  // namespace skein::lb
