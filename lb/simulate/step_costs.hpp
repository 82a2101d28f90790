// SPDX-License-Identifier: Apache-2.0
// Returns the times of an LB step's parts on a platform, which a run measures by the clock.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "lb/simulate/balancer.hpp"
#include "skein/lb/cost.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::simulate {

/// Returns the time from the coming of the last PE until all PEs know that nothing is under way: four-counter
/// rounds along a tree over the PEs, MoveCosts::meeting_ns for each of its levels, at least one.
Ns meeting_time(const Platform& platform);
/// Returns the time to measure and gather `objects` objects.
Ns collecting_time(const Platform& platform, std::size_t objects);

/// Returns the time in which the PE that decided tells all, down a tree, where `objects` objects go.
Ns reporting_time(const Platform& platform, std::size_t objects);

/// Returns the decision time per object, PE and edge in ns: the platform's figure, or else the usual one,
/// scaled by the speed of PEs.
double decision_element_ns(const Platform& platform, std::string_view strategy);
Ns decision_time(const Platform& platform, std::string_view strategy, std::size_t objects, std::size_t pes,
                 std::size_t edges);
/// Returns the decision time of a strategy whose PEs decide by messages in `rounds` rounds: each PE looks at
/// its own objects, and each round ends in a reduction over all PEs.
Ns distributed_decision_time(const Platform& platform, std::string_view strategy, std::size_t objects_of_pe,
                             std::size_t rounds);

/// Returns the time of PEs that decide together (TogetherCosts). Precondition: the platform has figures for
/// the strategy, so most_deciding() is above 1.
Ns team_decision_time(const Platform& platform, std::string_view strategy, std::size_t objects,
                      std::size_t pes, std::size_t edges, std::uint32_t deciding);
/// Returns the time until all PEs know the step, by a tree, and each PE knows where its own objects go, by a
/// message.
Ns team_telling_time(const Platform& platform, std::size_t objects_of_pe);

struct MoveTimes {
  std::vector<StepOutcome::Transfer> transfers;  // between nodes, one for each pair of PEs
  std::vector<Ns> of_pe;                         // own time of each PE
  std::uint64_t objects = 0, bytes = 0;
};
/// Returns the times to move objects to `pe_of`, and the split-off parts to their PEs.
MoveTimes move_times(const Platform& platform, const lb::Objects& objects, std::span<const PeIndex> pe_of,
                     std::span<const lb::Split> splits = {});

/// Returns the costs that a run measures before its first step, for the model of --lb auto.
lb::CostModel measured_costs(const Platform& platform);

/// Returns the machine as a run sees it: the first `pes` PEs on the nodes of the platform. A run cannot know
/// how the network is wired, so the topology has neither torus nor fat tree.
lb::Topology topology_seen(const Platform& platform, std::size_t pes);

}  // namespace skein::simulate
