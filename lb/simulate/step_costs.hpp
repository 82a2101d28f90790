// SPDX-License-Identifier: Apache-2.0
// What the parts of an LB step take on a platform, where a run has a clock.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lb/simulate/balancer.hpp"
#include "skein/lb/cost.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::simulate {

/// From the last PE's coming until all know that nothing is under way: four-counter rounds along a tree over
/// the PEs, MoveCosts::meeting_ns for each of its levels, at least one.
Ns meeting_time(const Platform& platform);
/// Measuring and gathering so many objects.
Ns collecting_time(const Platform& platform, std::size_t objects);

/// From the PE that has decided for all until the last one knows where so many objects go: down a tree.
Ns reporting_time(const Platform& platform, std::size_t objects);

/// What the built-in strategy of this name usually takes per object, PE and edge, in ns on one core of the
/// machine where it was measured; nothing for a user's own strategy.
std::optional<double> usual_element_ns(std::string_view strategy);
/// Decision time per object, PE and edge: the platform's figure, or else a usual one. On PEs of another speed
/// it takes accordingly.
double decision_element_ns(const Platform& platform, std::string_view strategy);
Ns decision_time(const Platform& platform, std::string_view strategy, std::size_t objects, std::size_t pes,
                 std::size_t edges);
/// What a strategy takes whose PEs decide by messages in so many rounds: each PE looks at its own objects,
/// and each round ends in a reduction over all PEs.
Ns distributed_decision_time(const Platform& platform, std::string_view strategy, std::size_t objects_of_pe,
                             std::size_t rounds);

/// What PEs take that decide together (TogetherCosts). Precondition: the platform says it: most_deciding() is
/// above 1.
Ns team_decision_time(const Platform& platform, std::string_view strategy, std::size_t objects,
                      std::size_t pes, std::size_t edges, std::uint32_t deciding);
/// Until all know what the step is, by a tree, and each PE where its own objects go, by a message.
Ns team_telling_time(const Platform& platform, std::size_t objects_of_pe);

struct MoveTimes {
  std::vector<StepOutcome::Transfer> transfers;  // between nodes, one for each pair of PEs
  std::vector<Ns> of_pe;                         // own time of each PE
  std::uint64_t objects = 0, bytes = 0;
};
/// Of objects to their PEs, and of parts that are split off where these are.
MoveTimes move_times(const Platform& platform, const lb::Objects& objects, std::span<const PeIndex> pe_of,
                     std::span<const lb::Split> splits = {});

/// What a run measures of the machine before its first step, for the model of --lb auto.
lb::CostModel measured_costs(const Platform& platform);

/// The machine as a run sees it: the nodes of the platform and their PEs, the first so many. Nothing tells a
/// run how the network is wired, so neither torus nor fat tree is in it.
lb::Topology topology_seen(const Platform& platform, std::size_t pes);

}  // namespace skein::simulate
