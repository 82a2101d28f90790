// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/late.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "lb/parallel/memory.hpp"
#include "lb/parallel/problem.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/team_messages.hpp"

namespace skein::lb {
namespace {

/// An object that a decision was made about, with its load at that time.
struct Decided {
  std::uint64_t id;
  double load;
  std::uint64_t pe;
};

using Places = std::unordered_map<std::uint64_t, std::size_t>;

Places places_of(const Objects& objects) {
  Places places;
  for (std::size_t i = 0; i < objects.size(); ++i) places.emplace(objects.id[i], i);
  return places;
}

/// The decision about the objects that this process has now, and about those that no process has any more.
struct Then {
  Snapshot snapshot;
  Decision decision;

  void add(const Decided& object) {
    snapshot.add_object({.id = object.id, .load = object.load});
    decision.pe_of.push_back(static_cast<PeIndex>(object.pe));
  }
};

/// Makes the decision's part for this process. Objects from another process's PEs are requested from that
/// process, which leaves them out.
Then gather_then(const SnapshotPart& then, const Assignment& decided, const SnapshotPart& now, Team& team) {
  const Places known = places_of(then.objects);
  std::vector<std::uint64_t> strangers;
  for (const std::uint64_t id : now.objects.id)
    if (!known.contains(id)) strangers.push_back(id);
  std::vector<bool> left(then.object_count(), false);
  Then own;
  own.snapshot.pes = then.pes;
  const auto decided_of = [&](std::size_t i) {
    return Decided{then.objects.id[i], then.objects.load[i], decided[i]};
  };
  if (any(!strangers.empty(), team)) {
    Lists<std::uint64_t> wanted(team.size(), strangers);
    wanted[team.rank()].clear();
    const Lists<std::uint64_t> asked = exchange_lists(wanted, team);
    Lists<Decided> answers(team.size());
    for (std::size_t p = 0; p < asked.size(); ++p)
      for (const std::uint64_t id : asked[p])
        if (const auto found = known.find(id); found != known.end()) {
          answers[p].push_back(decided_of(found->second));
          left[found->second] = true;
        }
    for (const auto& came : exchange_lists(answers, team))
      for (const Decided& object : came) own.add(object);
  }
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!left[i]) own.add(decided_of(i));
  return own;
}

LateSums sum_over_team(LateSums sums, Team& team) {
  double* const all[] = {&sums.work_then, &sums.work_now, &sums.known, &sums.known_then,
                         &sums.changed,   &sums.change,   &sums.gone,  &sums.come};
  std::vector<double> values;
  for (const double* value : all) values.push_back(*value);
  team.sum(values);
  for (std::size_t k = 0; k < values.size(); ++k) *all[k] = values[k];
  return sums;
}

bool is_above_memory(const SnapshotPart& now, Team& team) {
  const std::vector<std::uint64_t> held = held_bytes(now, now.objects.pe, team);
  for (std::size_t pe = 0; pe < held.size(); ++pe)
    if (held[pe] > now.pes.memory_bytes[pe]) return true;
  return false;
}

}  // namespace

LatePlan apply_late_in_team(const SnapshotPart& then, const StepPlan& decided, const SnapshotPart& now,
                            Team& team) {
  const Then own = gather_then(then, decided.decision.pe_of, now, team);
  const std::vector<double> finish = finish_times(now, now.objects.pe, team);
  Snapshot present = seen_by_one(now, now.objects.pe, finish);
  present.pes.memory_bytes.clear();
  LatePart part = apply_late_part(own.snapshot, own.decision, present);
  Assignment pe_of = keep_memory_limit(now, std::move(part.decision.pe_of), team);
  LatePlan late;
  late.plan = plan_of(decided.strategy, now, std::move(pe_of), team);
  late.drift = drift_of(sum_over_team(part.sums, team), late.plan.after.imbalance_percent());
  late.dropped = late.plan.after.largest() > late.plan.before.largest() && !is_above_memory(now, team) &&
                 decided.after.largest() <= decided.before.largest();
  if (late.dropped) late.plan = plan_of(decided.strategy, now, now.objects.pe, team);
  return late;
}

}  // namespace skein::lb
