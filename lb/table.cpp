// SPDX-License-Identifier: Apache-2.0
// The table of strategies. To add one, write a file in strategies/ that defines <identifier>_keys and
// assign_<identifier> (see strategies/define.hpp), a test, a line here, and the cost of its decisions in
// lb/simulate/step_costs.cpp. --lb auto tries it only with the trait for_auto; docs/strategies.md has a row
// and a section for each strategy (tests/docs/check_strategies.py).
#include <array>

#include "lb/strategies/define.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/strategy.hpp"

// clang-format off
#define SKEIN_LB_STRATEGIES(X) \
  X(none,          "none",          never_worse, "leaves every object where it is") \
  X(rotate,        "rotate",        for_tests, "moves every object to the next PE; for tests of moving") \
  X(random,        "random",        for_tests, "puts every object on a PE drawn at random; for tests and as a yardstick") \
  X(greedy,        "greedy",        for_auto | afresh, "heaviest object first, each to the PE that would finish it first") \
  X(greedy_refine, "greedy-refine", for_auto | never_worse, "as well balanced as greedy, but an object stays where there is room for it") \
  X(refine,        "refine",        for_auto | never_worse, "moves as few objects as it can from overloaded PEs to others") \
  X(refine_comm,   "refine-comm",   for_auto | never_worse | needs_graph, "refine that keeps objects near those they talk to") \
  X(rcb,           "rcb",           for_auto | afresh | needs_positions, "cuts space into boxes of equal load (recursive coordinate bisection)") \
  X(sfc,           "sfc",           for_auto | afresh | needs_positions, "cuts a Hilbert curve through the positions into pieces of equal load") \
  X(koradi,        "koradi",        for_auto | never_worse | needs_positions, "cells around a point for each PE, grown and shrunk until they level") \
  X(bipart,        "bipart",        for_auto | afresh | needs_graph, "bisects the communication graph recursively") \
  X(scotch,        "scotch",        for_auto | afresh | needs_graph | uses_scotch, "maps the communication graph afresh with Scotch") \
  X(scotch_refine, "scotch-refine", for_auto | needs_graph | uses_scotch, "Scotch's remapping: restores balance with few moves and little cut") \
  X(scotch_topo,   "scotch-topo",   for_auto | afresh | needs_graph | uses_scotch, "maps the communication graph afresh onto the topology with Scotch") \
  X(metis,         "metis",         for_auto | afresh | needs_graph | uses_metis, "partitions the communication graph afresh with METIS") \
  X(zoltan,        "zoltan",        for_auto | afresh | needs_graph | uses_zoltan, "partitions the messages as a hypergraph with Zoltan") \
  X(hyper,         "hyper",         needs_interactions | uses_zoltan, "partitions a sample of the interactions as a hypergraph with Zoltan") \
  X(nuco,          "nuco",          for_auto | afresh | needs_graph, "greedy that weighs messages by the distance of memories") \
  X(hwtopo,        "hwtopo",        for_auto | never_worse | needs_graph, "moves single objects at random towards a short step on the topology") \
  X(hierarchical,  "hierarchical",  for_auto | never_worse | may_use_graph, "one strategy between nodes, another inside each") \
  X(enzo,          "enzo",          never_worse, "whole objects one by one from the most to the least loaded PE") \
  X(offline,       "offline",       plain, "the assignment that a file holds")

// Distributed strategies: each PE decides for itself.
#define SKEIN_LB_DISTRIBUTED_STRATEGIES(X) \
  X(diffusion,     "diffusion",     for_auto | never_worse | may_use_graph, "every PE gives to its less loaded neighbours, as heat spreads") \
  X(gossip,        "gossip",        never_worse, "PEs hear by rumour who has room, and give to those") \
  X(ccm,           "ccm",           needs_graph, "PEs that meet give and swap clusters of objects, by load, messages and memory")

// Strategies that can split objects.
#define SKEIN_LB_SPLITTING_STRATEGIES(X) \
  X(move_split,    "move-split",    for_auto | never_worse, "fills the least loaded PE with whole objects, then with a part of the largest")

// Strategies that go on from their last step.
#define SKEIN_LB_GOING_ON_STRATEGIES(X) \
  X(koradi)

// Strategies that several processes can decide together, and the library that they use for it.
#define SKEIN_LB_PARALLEL_STRATEGIES(X) \
  X(rotate, plain) \
  X(random, plain) \
  X(rcb, uses_zoltan) \
  X(sfc, uses_zoltan) \
  X(scotch, uses_ptscotch) \
  X(zoltan, uses_zoltan)
// clang-format on

namespace skein::lb {

#define SKEIN_LB_DECLARE(identifier, name, traits, summary) SKEIN_LB_DECLARE_STRATEGY(identifier)
SKEIN_LB_STRATEGIES(SKEIN_LB_DECLARE)
#undef SKEIN_LB_DECLARE
#define SKEIN_LB_DECLARE(identifier, name, traits, summary) SKEIN_LB_DECLARE_DISTRIBUTED_STRATEGY(identifier)
SKEIN_LB_DISTRIBUTED_STRATEGIES(SKEIN_LB_DECLARE)
#undef SKEIN_LB_DECLARE
#define SKEIN_LB_DECLARE(identifier, name, traits, summary) SKEIN_LB_DECLARE_SPLITTING_STRATEGY(identifier)
SKEIN_LB_SPLITTING_STRATEGIES(SKEIN_LB_DECLARE)
#undef SKEIN_LB_DECLARE

SKEIN_LB_GOING_ON_STRATEGIES(SKEIN_LB_DECLARE_GOING_ON_STRATEGY)

#define SKEIN_LB_DECLARE(identifier, library) SKEIN_LB_DECLARE_PARALLEL_STRATEGY(identifier)
SKEIN_LB_PARALLEL_STRATEGIES(SKEIN_LB_DECLARE)
#undef SKEIN_LB_DECLARE

namespace {

/// Decides by playing all PEs of a distributed strategy.
template <BeginPe begin>
Assignment assign_alone(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  return decide_in_one_process(snapshot, options, seed, begin);
}

template <class Table>
Table with_others(Table table) {
  for (StrategyInfo& info : table) {
#define SKEIN_LB_GOING_ON(identifier) \
  if (info.assign == assign_##identifier) info.go_on = go_on_##identifier;
    SKEIN_LB_GOING_ON_STRATEGIES(SKEIN_LB_GOING_ON)
#undef SKEIN_LB_GOING_ON
#define SKEIN_LB_PARALLEL(identifier, library)   \
  if (info.assign == assign_##identifier) {      \
    info.assign_part = assign_part_##identifier; \
    info.parallel_library = library;             \
  }
    SKEIN_LB_PARALLEL_STRATEGIES(SKEIN_LB_PARALLEL)
#undef SKEIN_LB_PARALLEL
  }
  return table;
}

}  // namespace

std::span<const StrategyInfo> strategies() {
#define SKEIN_LB_ENTRY(identifier, name, traits, summary) \
  StrategyInfo{name, summary, identifier##_keys(), traits, assign_##identifier},
#define SKEIN_LB_DISTRIBUTED_ENTRY(identifier, name, traits, summary)                                     \
  StrategyInfo{name,    summary,           identifier##_keys(), traits, assign_alone<begin_##identifier>, \
               nullptr, begin_##identifier},
#define SKEIN_LB_SPLITTING_ENTRY(identifier, name, traits, summary) \
  StrategyInfo{name, summary, identifier##_keys(), traits, assign_##identifier, decide_##identifier},
  static const auto table =
      with_others(std::to_array({SKEIN_LB_STRATEGIES(SKEIN_LB_ENTRY) SKEIN_LB_DISTRIBUTED_STRATEGIES(
          SKEIN_LB_DISTRIBUTED_ENTRY) SKEIN_LB_SPLITTING_STRATEGIES(SKEIN_LB_SPLITTING_ENTRY)}));
#undef SKEIN_LB_ENTRY
#undef SKEIN_LB_DISTRIBUTED_ENTRY
#undef SKEIN_LB_SPLITTING_ENTRY
  return table;
}

}  // namespace skein::lb
