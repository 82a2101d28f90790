// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/simulate.hpp"

#include <algorithm>
#include <string>

#include "lb/simulate/executions.hpp"
#include "lb/simulate/lb_steps.hpp"
#include "lb/simulate/least_rest.hpp"
#include "lb/simulate/object_player.hpp"
#include "lb/simulate/rank_player.hpp"
#include "skein/lb/as_recorded.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace skein::simulate {
namespace {

/// Places elements in the program's own blocks, since their numbers say nothing: the elements of each
/// recorded PE get an equal part of the machine, in their order. On as many PEs as recorded all are where
/// they were. Elements that are made beside their makers take no place.
lb::Assignment blocks_of_elements(const trace::Trace& trace, std::uint32_t pes) {
  const trace::Header& header = trace.header();
  std::vector<std::uint64_t> on(header.pes), before(header.pes);
  const std::vector<bool> beside = made_beside_makers(trace);
  for (trace::ObjectIndex i = 0; i < trace.object_count(); ++i)
    if (header.can_move(i) && !beside[i]) ++on[header.placement[i]];
  lb::Assignment placed(trace.object_count());
  for (trace::ObjectIndex i = 0; i < placed.size(); ++i) {
    const PeIndex pe = header.placement[i];
    if (!header.can_move(i))
      placed[i] = i % pes;
    else if (beside[i])
      placed[i] = pe * pes / header.pes;
    else
      placed[i] = static_cast<PeIndex>((pe * on[pe] + before[pe]++) * pes / (header.pes * on[pe]));
  }
  return placed;
}

bool tells_placement(const trace::Trace& trace) {
  const trace::Header& header = trace.header();
  return header.placement.size() == trace.object_count() &&
         std::ranges::all_of(header.placement, [&](PeIndex pe) { return pe < header.pes; });
}

}  // namespace

lb::Assignment first_placement(const trace::Trace& trace, const Platform& platform, const Policy& policy) {
  const std::size_t objects = trace.object_count();
  // The balancer refuses more reserved PEs than there are.
  const std::uint32_t pes =
      platform.pe_count() -
      std::min(static_cast<std::uint32_t>(policy.mode.reserved_pes()), platform.pe_count() - 1);
  if (policy.placement == Placement::recorded) {
    const lb::Assignment& recorded = trace.header().placement;
    if (recorded.size() != objects)
      throw SimulationError("the trace does not say where its " + std::to_string(objects) +
                            " objects were: place them in blocks or round robin");
    return recorded;
  }
  if (policy.placement == Placement::block && trace.header().native && tells_placement(trace))
    return blocks_of_elements(trace, pes);
  // The first objects of a native program are its PEs, and some numbers may be unused: these take no place.
  const std::size_t movable = trace.movable_count();
  lb::Assignment placed(objects);
  std::size_t place = 0;
  for (trace::ObjectIndex i = 0; i < objects; ++i) {
    if (!trace.header().can_move(i)) {
      placed[i] = i % pes;
      continue;
    }
    placed[i] =
        static_cast<PeIndex>(policy.placement == Placement::block ? place * pes / movable : place % pes);
    ++place;
  }
  return placed;
}

namespace {

std::unique_ptr<Network> make_network(const Platform& platform, NetworkEngine engine) {
  return engine == NetworkEngine::simgrid ? make_simgrid_network(platform) : make_fast_network(platform);
}

std::unique_ptr<Player> make_player(JobState& job, Network& network) {
  if (!job.trace.header().native) return std::make_unique<RankPlayer>(job, network);
  for (std::size_t i = 0; i < job.shares.size() && i < job.trace.header().pes; ++i)
    job.shares[i].ended = true;  // a PE, which stays where it is
  job.told.resize(job.shares.size());
  return std::make_unique<ObjectPlayer>(job, network);
}

}  // namespace

Timeline simulate(const trace::Trace& trace, const Platform& platform, const Policy& policy,
                  const std::atomic<bool>* stop, const Limit* limit) {
  validate(platform);
  if (trace.object_count() == 0)
    throw SimulationError("the trace has no objects: there is nothing to simulate");
  if (trace.header().ends_only)
    throw SimulationError(
        "the trace has only the ends of its streams (--trace FILE:last=SECONDS), which is for looking at: "
        "record the whole run");
  const std::unique_ptr<Network> network = make_network(platform, policy.engine);
  lb::Assignment placed = first_placement(trace, platform, policy);
  LbSteps steps(trace, platform, policy, placed);
  Timeline timeline;
  timeline.pes = steps.computing_pes();
  timeline.reserved_pes = platform.pe_count() - timeline.pes;
  timeline.pe_busy.assign(timeline.pes, 0);
  JobState job{.trace = trace,
               .platform = platform,
               .policy = policy,
               .stops = steps,
               .speed = PeSpeed(platform),
               .pe_of = std::move(placed),
               .shares = LargeVector<JobState::Share>(trace.object_count()),
               .passed = steps.passed()};
  const std::unique_ptr<Player> made = make_player(job, *network);
  Player& player = *made;
  player.log_to(steps.traffic());
  std::optional<LeastRest> rest;
  if (limit) rest.emplace(platform, timeline.pes, limit->remaining);
  player.begin();
  for (std::uint64_t point = 0;;) {
    player.machine().run(stop);
    if (player.go_on_when_quiet()) continue;
    if (player.all_ended()) break;
    if (!player.all_stopped()) player.report_waiting();
    player.check_ends();
    steps.step(job, player, *network, timeline);
    point += timeline.steps.back().points;
    const Ns now = timeline.interval_end.back();
    if (limit && now > limit->makespan - rest->after(point)) {
      timeline.given_up_at = point;
      timeline.makespan = now;
      return timeline;
    }
  }
  player.check_ends();
  steps.close(job, player, timeline);
  const PointToPoint::Counts counts = player.counts();
  timeline.messages = counts.messages;
  timeline.remote_messages = counts.remote_messages;
  timeline.bytes = counts.bytes;
  timeline.remote_bytes = counts.remote_bytes;
  timeline.bursts = std::move(job.bursts);
  // PEs run ahead of each other, so their bursts are not in order.
  std::stable_sort(timeline.bursts.begin(), timeline.bursts.end(),
                   [](const BurstRecord& a, const BurstRecord& b) {
                     return a.begin != b.begin ? a.begin < b.begin : a.pe < b.pe;
                   });
  return timeline;
}

trace::Trace play_as_recorded(const trace::Trace& trace) {
  const trace::Header& header = trace.header();
  Platform platform;
  platform.name = "as recorded";
  platform.pes_per_node = std::max(1u, header.pes);
  for (const PeIndex pe : header.placement) platform.pes_per_node = std::max(platform.pes_per_node, pe + 1);
  Policy policy;
  policy.keep_bursts = true;
  if (header.placement.size() == trace.object_count()) policy.placement = Placement::recorded;
  if (!trace.steps().empty()) {
    policy.strategy = "rotate";  // any would do: the moves are recorded
    policy.period = std::max<std::uint64_t>(1, trace::sync_points(trace) / trace.steps().size());
    policy.steps_as_recorded = true;
  }
  return as_recorded(trace, simulate(trace, platform, policy), platform.name);
}

}  // namespace skein::simulate
