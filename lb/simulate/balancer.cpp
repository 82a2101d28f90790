// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/balancer.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "lb/simulate/step_costs.hpp"
#include "lb/simulate/together_curve.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/measured_objects.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/planner.hpp"

namespace skein::simulate {
namespace {

constexpr double kSecondNs = 1e9;
/// The number of a sync point that never comes.
constexpr std::uint64_t kNoStep = ~std::uint64_t{0};

lb::PlannerConfig config_of(const Platform& platform, const Policy& policy) {
  lb::PlannerConfig config;
  if (!policy.strategy.empty() && policy.strategy != "none") {
    config.automatic = lb::parse_auto(policy.strategy);
    if (!config.automatic) config.strategy = lb::parse_strategy(policy.strategy);
    config.period = {.points = policy.period, .automatic = policy.period == 0 && policy.steps_at.empty()};
    if (config.strategy && config.strategy->acts_at_every_point()) config.period = {.points = 1};
  }
  config.seed = policy.seed;
  if (!policy.load_model.empty()) config.load_model = lb::parse_load_model(policy.load_model);
  config.memory_bytes = platform.memory_bytes;
  config.keeps_snapshots = policy.mode.kind != lb::Mode::Kind::inline_all;
  return config;
}

/// Checks the policy of several PEs that decide together.
template <class Refuse>
void check_team(const lb::PlannerConfig& config, const Platform& platform, const Policy& policy,
                const Refuse& refuse) {
  if (!config.strategy || !config.strategy->info->assign_part || config.strategy->by_level)
    refuse("strategy '" + policy.strategy + "' decides on one PE: take pes=1, or one of " +
           lb::parallel_strategies());
  if (!policy.load_model.empty() && !config.load_model.changes_nothing())
    refuse("a load model looks at what all objects took before: take pes=1");
  if (config.period.automatic) refuse("an automatic period looks at all objects: take a number, or pes=1");
  if (together_curve(platform.together, config.strategy->info->name).is_zero())
    refuse("platform '" + platform.name + "' does not say what strategy '" +
           std::string(config.strategy->info->name) +
           "' takes on several PEs (together): skein calibrate measures it; or take pes=1");
}

/// Refuses the modes that a run refuses.
void check_mode(const lb::PlannerConfig& config, const Platform& platform, const Policy& policy) {
  const lb::Mode& mode = policy.mode;
  const auto refuse = [&](const std::string& why) {
    throw SimulationError("mode '" + lb::to_string(mode) + "': " + why);
  };
  if (mode.reserved_pes() > 0 && static_cast<std::uint32_t>(mode.reserved_pes()) >= platform.pe_count())
    refuse(std::to_string(mode.reserved_pes()) + " PEs only decide, and platform '" + platform.name +
           "' has " + std::to_string(platform.pe_count()) +
           ": none is left to compute; take more PEs, or mode inline");
  if (static_cast<std::uint32_t>(mode.deciding_pes) > platform.pe_count())
    refuse(std::to_string(mode.deciding_pes) + " PEs are to decide, and platform '" + platform.name +
           "' has " + std::to_string(platform.pe_count()) + ": take more PEs, or a smaller pes=");
  if (mode.thread)
    refuse(
        "a thread of low priority takes what time the PE beside it leaves, which is the operating system's "
        "matter and is not simulated; take lazy:pes=1");
  if (!config.balances()) return;
  if (mode.deciding_pes > 1) check_team(config, platform, policy, refuse);
  if (mode.is_lazy() && config.period.automatic)
    refuse("it asks at every K-th sync point, and the period is automatic: take a number");
}

void check(const lb::PlannerConfig& config, const Platform& platform, const Policy& policy,
           const lb::Assignment& placed) {
  check_mode(config, platform, policy);
  const std::size_t pes = platform.pe_count() - static_cast<std::size_t>(policy.mode.reserved_pes());
  for (std::size_t i = 0; i < placed.size(); ++i)
    if (placed[i] >= pes)
      throw SimulationError("object " + std::to_string(i) + " is placed on PE " + std::to_string(placed[i]) +
                            ", and platform '" + platform.name + "' has " + std::to_string(pes) +
                            " PEs: place objects in blocks or round robin, or take more PEs");
  if (!config.strategy) return;
  if (const std::string_view key = config.strategy->missing_key(); !key.empty())
    throw SimulationError("strategy '" + policy.strategy + "' needs a value of its key '" + std::string(key) +
                          "'");
  if (config.strategy->info->traits & lb::needs_positions)
    throw SimulationError("strategy '" + std::string(config.strategy->info->name) +
                          "' needs positions of the objects, and traces have none: take a strategy that "
                          "looks at loads or at messages (skein info lists them)");
}

}  // namespace

struct Balancer::State {
  const Platform& platform;
  lb::Mode mode;
  std::size_t pes;  // computing PEs
  lb::Planner planner;
  lb::Topology topology;
  std::vector<std::uint32_t> node_of_pe = {};
  std::vector<double> speeds = {};  // of PEs, as strategies see them; empty: all alike
  lb::Assignment placed;            // PEs at first
  lb::Assignment was_on;            // PEs before the last step
  lb::Assignment place;
  std::uint64_t steps = 0;
  /// Sync points of the last step and of the next one, if they do not follow from a period of points.
  std::uint64_t last_at = 0, next_at = 1;
  std::vector<std::uint64_t> steps_at = {};  // Policy::steps_at

  // The present step.
  lb::StepPlan plan = {};
  std::optional<lb::Interval> interval = {};
  lb::StepFigures figures = {};
  Ns resumed = 0;  // end of the last step; in lazy mode the start of the last decision
  Ns began = 0, decided = 0;
  lb::Snapshot then = {};       // in lazy mode: the snapshot of the decision
  Ns took = 0;                  // in lazy mode: time of the decision
  std::uint64_t decisions = 0;  // in lazy mode: decisions before this one

  bool steps_are_named() const { return planner.config().period.automatic || !steps_at.empty(); }
  std::uint64_t points_in_interval() const {
    return steps_are_named() ? next_at - last_at : planner.config().period.points;
  }
  /// Sets the next step `points` later, or to the next of the given steps if all steps were given.
  void set_next_step(std::uint64_t points) {
    last_at = next_at;
    next_at = steps_at.empty()              ? next_at + points
              : steps + 1 < steps_at.size() ? steps_at[steps + 1]
                                            : kNoStep;
  }

  bool wants_traffic() const {
    const lb::PlannerConfig& config = planner.config();
    return config.automatic || (config.strategy && config.strategy->uses_graph());
  }

  /// Returns the object's time by the clock, as a run measures it: with the share of other processes.
  double seconds_of(const ObjectMeasurement& object, PeIndex pe) const {
    const double own = platform.background.empty() ? 1 : 1 - platform.background[pe];
    return static_cast<double>(object.busy) / kSecondNs / own;
  }
  /// Returns the object's load: s, on a PE of speed 1.
  double load_of(const ObjectMeasurement& object, PeIndex pe) const {
    if (object.ended) return 0;
    return object.declared.value_or(seconds_of(object, pe) * (speeds.empty() ? 1 : speeds[pe]));
  }

  lb::IntervalShare sum(std::span<const ObjectMeasurement> objects) const {
    lb::IntervalShare all(0, static_cast<int>(pes), speeds);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const double busy_s = seconds_of(objects[i], place[i]);
      all.add_object_on(static_cast<int>(place[i]), busy_s, static_cast<int>(placed[i]),
                        static_cast<int>(was_on[i]));
      using LoadIs = lb::IntervalShare::LoadIs;
      all.add_load(load_of(objects[i], place[i]), objects[i].declared ? LoadIs::declared : LoadIs::time);
    }
    return all;
  }

  lb::Interval measure(Ns at, std::span<const Ns> waited, std::span<const ObjectMeasurement> objects) const {
    lb::IntervalShare all = sum(objects);
    for (std::size_t pe = 0; pe < pes; ++pe)
      all.set_waiting_on(static_cast<int>(pe),
                         static_cast<double>(waited[pe] + meeting_time(platform)) / kSecondNs);
    all.set_time(static_cast<double>(at) / kSecondNs, static_cast<double>(at - resumed) / kSecondNs);
    return {steps, points_in_interval(), all.numbers()};
  }

  lb::Snapshot snapshot(std::span<const ObjectMeasurement> objects,
                        std::span<const lb::CommEdge> traffic) const {
    std::vector<lb::MeasuredObject> measured;
    measured.reserve(objects.size());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const ObjectMeasurement& one = objects[i];
      measured.push_back({.id = i,
                          .pe = place[i],
                          .load = load_of(one, place[i]),
                          .bytes = one.bytes,
                          .may_move = !one.ended,
                          .ended = one.ended,
                          .divisible = one.divisible && !one.ended,
                          .level = one.level});
    }
    const std::vector<lb::CommEdge> edges(traffic.begin(), traffic.end());
    return lb::make_snapshot({.objects = measured,
                              .node_of_pe = node_of_pe,
                              .speed_of_pe = speeds,
                              .topology = &topology,
                              .edges = wants_traffic() ? &edges : nullptr});
  }

  /// Throws if the objects of a PE exceed its memory. A run only warns, since its limit is a wish; this limit
  /// is the machine's.
  void check_memory() const {
    for (std::size_t pe = 0; pe < plan.held_bytes.size(); ++pe)
      if (plan.held_bytes[pe] > platform.memory_bytes)
        throw SimulationError(
            "after LB step " + std::to_string(steps + 1) + " by '" + plan.strategy + "', the objects of PE " +
            std::to_string(pe) + " have " + std::to_string(plan.held_bytes[pe]) +
            " bytes in use, and platform '" + platform.name + "' has " +
            std::to_string(platform.memory_bytes) +
            " a PE (memory_bytes, or --lb-memory), with no room on another one: take more PEs, or smaller "
            "objects");
  }

  /// Sets `plan`, and returns the time of the decision.
  Ns decide(const lb::Snapshot& now) {
    const lb::PlannerConfig& config = planner.config();
    if (config.is_distributed()) return decide_by_messages(now);
    const std::size_t objects = now.object_count(), edges = now.graph.edge_count();
    plan = planner.plan(*interval);
    check_memory();
    if (has_team())
      return team_decision_time(platform, config.strategy->info->name, objects, pes, edges,
                                static_cast<std::uint32_t>(mode.deciding_pes));
    if (config.strategy) return decision_time(platform, config.strategy->info->name, objects, pes, edges);
    double tried_s = 0;
    for (const lb::Trial& trial : planner.trials()) tried_s += trial.decision_s;
    return decision_time(platform, "auto", objects, pes, edges) + static_cast<Ns>(tried_s * kSecondNs);
  }

  Ns decide_by_messages(const lb::Snapshot& now) {
    const lb::Selection& strategy = *planner.config().strategy;
    now.validate();
    if (planner.only_measures(*interval)) {
      plan = planner.measured({lb::finish_times(now, now.objects.pe), lb::perfect_finish(now)});
      plan.decision.pe_of = now.objects.pe;
      return 0;
    }
    std::size_t rounds = 0;
    lb::Assignment to = lb::decide_in_one_process(now, strategy.options, planner.seed_of(*interval),
                                                  strategy.info->begin, &rounds);
    std::vector<double> before = lb::finish_times(now, now.objects.pe);
    const double perfect =
        std::accumulate(before.begin(), before.end(), 0.0) / static_cast<double>(before.size());
    plan = planner.plan_of({std::move(before), perfect}, {lb::finish_times(now, to), perfect},
                           to != now.objects.pe);
    plan.decision.pe_of = std::move(to);
    std::vector<std::size_t> on(now.pe_count(), 0);
    for (const PeIndex pe : now.objects.pe) ++on[pe];
    return distributed_decision_time(platform, strategy.info->name, std::ranges::max(on), rounds);
  }

  /// Makes the moves and splits of the plan, and notes them in the outcome.
  void carry_out(const lb::Objects& objects, StepOutcome& outcome) {
    const MoveTimes moves = move_times(platform, objects, plan.decision.pe_of, plan.decision.splits);
    was_on = std::exchange(place, plan.decision.pe_of);
    for (const lb::Split& split : plan.decision.splits) {
      placed.push_back(placed[split.object]);
      was_on.push_back(was_on[split.object]);
      place.push_back(split.pe);
    }
    outcome.splits = plan.decision.splits;
    outcome.placement = place;
    outcome.transfers = moves.transfers;
    outcome.moving_of_pe = moves.of_pe;
    StepRecord& record = outcome.record;
    record.strategy = plan.strategy;
    record.imbalance_before = plan.before.imbalance_percent();
    record.imbalance_after = plan.after.imbalance_percent();
    record.moved = moves.objects;
    record.moved_bytes = moves.bytes;
    record.split = outcome.splits.size();
    record.move = std::ranges::max(moves.of_pe);
  }

  /// Returns the parts to merge, as groups_to_merge() in runtime/chare/balance/division.cpp does in a run:
  /// small parts on one PE that were not just split are merged into the first of them.
  std::vector<Merge> merges(const lb::Snapshot& now, std::span<const ObjectMeasurement> objects) const {
    std::set<ObjectIndex> wholes, split_now;
    for (const lb::Split& split : plan.decision.splits) split_now.insert(split.object);
    for (const ObjectMeasurement& one : objects)
      if (one.whole != kNone) wholes.insert(one.whole);
    if (wholes.empty()) return {};
    struct Group {
      std::vector<ObjectIndex> parts;
      double finish = 0;
    };
    std::map<std::pair<ObjectIndex, PeIndex>, Group> groups;
    for (ObjectIndex i = 0; i < objects.size(); ++i) {
      const ObjectIndex whole = objects[i].whole == kNone ? i : objects[i].whole;
      if (objects[i].ended || !wholes.contains(whole) || split_now.contains(i)) continue;
      Group& group = groups[{whole, place[i]}];
      group.parts.push_back(i);
      group.finish += now.objects.load[i] / now.pes.speed[place[i]];
    }
    std::vector<Merge> merges;
    const double limit = lb::kLargestMerged * lb::perfect_finish(now);
    for (const auto& [where, group] : groups)
      for (std::size_t k = 1; k < group.parts.size() && group.finish <= limit; ++k)
        merges.emplace_back(group.parts[0], group.parts[k]);
    return merges;
  }

  void learn() {
    std::optional<std::uint64_t> next;
    if (planner.learns()) next = planner.learn(plan, *interval, figures);
    if (next || !steps_at.empty()) set_next_step(next.value_or(0));
    planner.forget();
  }

  bool has_team() const { return mode.deciding_pes > 1; }

  /// Returns the most objects that a PE of a team gets; each gets those of a block of PEs
  /// (runtime/balance/roles.hpp).
  std::size_t objects_of_fullest_decider() const {
    std::vector<std::size_t> of(static_cast<std::size_t>(mode.deciding_pes), 0);
    for (const PeIndex pe : place) ++of[pe * of.size() / pes];
    return std::ranges::max(of);
  }

  Ns telling(std::size_t objects) const {
    if (!has_team()) return reporting_time(platform, objects);
    std::vector<std::size_t> of(pes, 0);
    for (const PeIndex pe : place) ++of[pe];
    return team_telling_time(platform, std::ranges::max(of));
  }

  /// Returns the time to collect. Only a strategy that sees all objects has them gathered on one PE.
  Ns collecting(std::size_t objects) const {
    if (has_team()) return collecting_time(platform, objects_of_fullest_decider());
    if (!planner.config().is_distributed()) return collecting_time(platform, objects);
    return collecting_time(platform, (objects + platform.pe_count() - 1) / platform.pe_count());
  }
};

Balancer::Balancer(const Platform& platform, const Policy& policy, lb::Assignment placed) {
  lb::PlannerConfig config = config_of(platform, policy);
  check(config, platform, policy, placed);
  const lb::DecisionTimer timer{
      .decision_seconds = [&platform](std::string_view strategy, const lb::Snapshot& snapshot) {
        return static_cast<double>(decision_time(platform, strategy, snapshot.object_count(),
                                                 snapshot.pe_count(), snapshot.graph.edge_count())) /
               kSecondNs;
      }};
  // The step includes the whole time of moves, paging too (MoveCosts::node_byte_ns).
  state_ = std::make_unique<State>(State{
      .platform = platform,
      .mode = policy.mode,
      .pes = platform.pe_count() - static_cast<std::size_t>(policy.mode.reserved_pes()),
      .planner = lb::Planner(std::move(config), measured_costs(platform), true, timer),
      .topology =
          topology_seen(platform, platform.pe_count() - static_cast<std::size_t>(policy.mode.reserved_pes())),
      .placed = placed,
      .was_on = placed,
      .place = std::move(placed),
      .next_at = policy.steps_at.empty() ? 1 : policy.steps_at.front(),
      .steps_at = policy.steps_at});
  state_->speeds = speeds_seen(platform, policy);
  for (PeIndex pe = 0; pe < state_->pes; ++pe) state_->node_of_pe.push_back(platform.node_of(pe));
}
Balancer::~Balancer() = default;

bool Balancer::gathers(std::uint64_t passed) const { return passed + 1 == next_step(passed); }
std::uint64_t Balancer::next_step(std::uint64_t passed) const {
  if (state_->steps_are_named()) return state_->next_at;
  const std::uint64_t points = state_->planner.config().period.points;
  return points == 0 ? kNoStep : (passed / points + 1) * points;
}
bool Balancer::balances() const {
  const lb::PlannerConfig& config = state_->planner.config();
  return config.automatic || config.strategy;
}
bool Balancer::wants_traffic() const { return state_->wants_traffic(); }
const lb::Assignment& Balancer::placement() const { return state_->place; }
void Balancer::set_placement(const lb::Assignment& place) {
  for (std::size_t i = 0; i < place.size(); ++i)
    if (state_->place[i] != place[i]) state_->placed[i] = state_->was_on[i] = state_->place[i] = place[i];
}
std::size_t Balancer::computing_pes() const { return state_->pes; }

StepOutcome Balancer::step(Ns at, std::span<const Ns> waited, std::span<const ObjectMeasurement> objects,
                           std::span<const lb::CommEdge> traffic) {
  State& state = *state_;
  state.began = at;
  state.interval = state.measure(at, waited, objects);
  const lb::Snapshot snapshot = state.planner.take(state.snapshot(objects, traffic), *state.interval);

  StepOutcome outcome;
  StepRecord& record = outcome.record;
  record.meet = meeting_time(state.platform);
  record.collect = state.collecting(objects.size());
  record.decide = state.decide(snapshot);
  if (state.mode.kind == lb::Mode::Kind::decoupled) record.collect += state.telling(objects.size());
  outcome.decided = state.decided = record.meet + record.collect + record.decide;
  state.carry_out(snapshot.objects, outcome);
  outcome.merges = state.merges(snapshot, objects);
  record.merged = outcome.merges.size();
  record.points = state.interval->points;
  if (!state.planner.config().is_distributed()) record.why = state.planner.why(state.plan, *state.interval);
  if (state.planner.config().automatic) record.why += "\n" + state.planner.reasons();
  state.figures = {.meeting_s = static_cast<double>(record.meet) / kSecondNs,
                   .thinking_s = static_cast<double>(record.collect + record.decide) / kSecondNs};
  return outcome;
}

Ns Balancer::decide(Ns at, std::uint64_t points, std::span<const ObjectMeasurement> objects,
                    std::span<const lb::CommEdge> traffic) {
  State& state = *state_;
  lb::IntervalShare sums = state.sum(objects);
  sums.set_time(static_cast<double>(at) / kSecondNs,
                static_cast<double>(at - std::exchange(state.resumed, at)) / kSecondNs);
  state.interval.emplace(state.decisions++, points, sums.numbers());
  state.then = state.planner.take(state.snapshot(objects, traffic), *state.interval);
  state.took = state.collecting(objects.size()) + state.decide(state.then);
  state.figures = {.thinking_s = static_cast<double>(state.took) / kSecondNs};
  return state.took;
}

bool Balancer::moves() const { return state_->plan.moves; }

void Balancer::stays() { state_->learn(); }

StepOutcome Balancer::apply(Ns at, std::span<const ObjectMeasurement> objects) {
  State& state = *state_;
  state.began = at;
  lb::Snapshot now = state.snapshot(objects, {});
  if (state.planner.config().memory_bytes > 0)
    now.pes.memory_bytes.assign(now.pe_count(), state.planner.config().memory_bytes);
  lb::LateDecision late = lb::apply_late(state.then, state.plan.decision, now);
  const double perfect = lb::perfect_finish(now);
  state.plan.before = {lb::finish_times(now, now.objects.pe), perfect};
  state.plan.after = {lb::finish_times(now, late.decision), perfect};
  state.plan.decision = std::move(late.decision);
  if (!now.pes.memory_bytes.empty()) state.plan.held_bytes = lb::held_bytes(now, state.plan.decision.pe_of);
  state.check_memory();

  StepOutcome outcome;
  StepRecord& record = outcome.record;
  record.meet = meeting_time(state.platform);
  record.collect = state.collecting(objects.size()) + state.telling(objects.size());
  record.late = {.decide = state.took, .dropped = late.dropped, .drift = late.drift};
  outcome.decided = state.decided = record.meet + record.collect;
  state.carry_out(now.objects, outcome);
  state.then = {};
  return outcome;
}

void Balancer::moved_in(Ns time) {
  State& state = *state_;
  state.figures.moving_s = static_cast<double>(time) / kSecondNs;
  state.learn();
  if (!state.mode.is_lazy()) state.resumed = state.began + state.decided + time;
  ++state.steps;
}

}  // namespace skein::simulate
