// SPDX-License-Identifier: Apache-2.0
#include "lb/planner/other_placement.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace skein::lb {
namespace {

/// The factor by which old intervals of a placement lose weight with each new one.
constexpr double kOld = 0.7;
/// The waiting, in parts of the computing, that does not depend on the placement.
constexpr double kUsualWaiting = 0.03;
/// The part of the waiting that a better placement is hoped to avoid.
constexpr double kHoped = 0.5;
/// A placement is as good as another for the model if its interval is longer by at most this part.
constexpr double kAsGood = 0.01;
/// The least part of the objects that another placement has elsewhere.
constexpr double kElsewhere = 0.25;

double moved_part(const Assignment& from, const Assignment& to) {
  std::size_t moved = 0;
  for (std::size_t i = 0; i < to.size(); ++i) moved += to[i] != from[i];
  return static_cast<double>(moved) / static_cast<double>(to.size());
}

}  // namespace

void OtherPlacement::PlacementRecord::add(double points_in_it, double of_computing, double of_perfect) {
  const double old = kOld * points, all = old + points_in_it;
  to_computing = (old * to_computing + points_in_it * of_computing) / all;
  to_perfect = (old * to_perfect + points_in_it * of_perfect) / all;
  points = all;
}

void OtherPlacement::look_at(Choice& choice, const Snapshot& snapshot, const Interval& interval,
                             const Outlook& outlook) {
  if (snapshot.object_count() == 0 || std::ranges::max(interval.took_s) <= 0) return;
  see(snapshot, interval);
  if (std::exchange(trying_, false)) {
    if (now_.to_perfect > before_.to_perfect && can_go_back(snapshot))
      return go_back(choice, snapshot, outlook);
    in_vain_ = 0;
  }
  // With a memory limit, placements differ by more than waiting.
  const bool moves = choice.assignment != snapshot.objects.pe || !choice.splits.empty();
  const bool may_try = snapshot.graph.edge_count() > 0 && snapshot.pes.memory_bytes.empty();
  if (!moves && may_try) try_another(choice, snapshot, interval, outlook);
}

void OtherPlacement::see(const Snapshot& snapshot, const Interval& interval) {
  if (snapshot.objects.id != ids_) trying_ = false;
  if (snapshot.objects.id != ids_ || snapshot.objects.pe != now_.pe) {
    if (!trying_) {
      in_vain_ = 0;
      tried_.clear();
    }
    ids_ = snapshot.objects.id;
    now_ = {.pe = snapshot.objects.pe};
  }
  const double sum_s = std::accumulate(interval.took_s.begin(), interval.took_s.end(), 0.0);
  // While PEs wait for each other, one of them computes: time beyond all computing is no such waiting.
  now_.add(static_cast<double>(std::max<std::uint64_t>(interval.points, 1)),
           std::min(interval.length_s, sum_s) / std::ranges::max(interval.took_s),
           interval.length_s / sum_s * static_cast<double>(interval.took_s.size()));
}

bool OtherPlacement::can_go_back(const Snapshot& snapshot) const {
  const Objects& objects = snapshot.objects;
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (!objects.migratable[i] && before_.pe[i] != objects.pe[i]) return false;
  return snapshot.pes.memory_bytes.empty();
}

void OtherPlacement::go_back(Choice& choice, const Snapshot& snapshot, const Outlook& outlook) {
  const Prediction& none = choice.rows[0];
  Prediction row{.strategy = std::string(kBack),
                 .movement_s = movement_seconds(snapshot, before_.pe, outlook.cost),
                 .step_s = none.step_s * before_.to_perfect / now_.to_perfect,
                 .worked_out = true};
  row.total_s = total_seconds(row, none.step_s, {.intervals = outlook.intervals});
  choice.chosen = choice.rows.size();
  choice.rows.push_back(std::move(row));
  choice.worked_out.push_back(before_.pe);
  choice.assignment = before_.pe;
  choice.splits.clear();
  now_ = std::move(before_);
  ++in_vain_;
}

void OtherPlacement::try_another(Choice& choice, const Snapshot& snapshot, const Interval& interval,
                                 const Outlook& outlook) {
  const double waiting = now_.to_computing - 1;
  if (waiting < kUsualWaiting) return;
  const Assignment& pe = snapshot.objects.pe;
  double least_s = choice.rows[0].step_s * (1 + kAsGood);
  std::optional<std::size_t> best;
  for (std::size_t k = 1; k < choice.rows.size(); ++k) {
    const Prediction& row = choice.rows[k];
    if (choice.worked_out[k].empty() || row.step_s > least_s || (best && row.step_s == least_s)) continue;
    if (std::ranges::find(tried_, row.strategy) != tried_.end()) continue;
    if (moved_part(pe, choice.worked_out[k]) < kElsewhere) continue;
    best = k;
    least_s = row.step_s;
  }
  if (!best) return;
  const double hoped_s = kHoped * waiting * std::ranges::max(interval.took_s),
               movement_s = movement_seconds(snapshot, choice.worked_out[*best], outlook.cost);
  const double succeeds = 1 / static_cast<double>(in_vain_ + 2), fails = 1 - succeeds;
  // A failed try moves the objects back, and may have taken as much longer as a better placement takes less.
  if (succeeds * hoped_s * outlook.intervals < movement_s + fails * (movement_s + hoped_s)) return;
  trying_ = true;
  before_ = now_;
  tried_.push_back(choice.rows[*best].strategy);
  choice.chosen = *best;
  choice.assignment = choice.worked_out[*best];
}

}  // namespace skein::lb
