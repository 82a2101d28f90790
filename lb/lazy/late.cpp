// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/late.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "lb/kernel/memory_limit.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

constexpr double kChanged = 0.05;  // of a load

using Numbers = std::unordered_map<std::uint64_t, ObjectIndex>;

Numbers numbers_of(const Objects& objects) {
  Numbers numbers;
  numbers.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i)
    numbers.emplace(objects.id[i], static_cast<ObjectIndex>(i));
  return numbers;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double distance(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  double squares = 0;
  for (std::size_t k = 0; k < 3; ++k) squares += (double{a[k]} - b[k]) * (double{a[k]} - b[k]);
  return squares;
}

class Late {
 public:
  Late(const Snapshot& then, const Decision& decided, const Snapshot& now)
      : then_(then), decided_(decided), now_(now), number_then_(numbers_of(then.objects)) {
    for (std::size_t i = 0; i < now.object_count(); ++i) {
      const auto found = number_then_.find(now.objects.id[i]);
      if (found != number_then_.end())
        known_.push_back({static_cast<ObjectIndex>(i), found->second});
      else
        come_.push_back(static_cast<ObjectIndex>(i));
    }
  }

  LateDecision result(std::span<const std::uint64_t> parent_of) {
    pe_of_ = now_.objects.pe;
    for (const auto& [now, then] : known_) pe_of_[now] = decided_.pe_of[then];
    place_new(parent_of);
    // An object that has gone from where it was is another's matter meanwhile; one that is held stays.
    for (std::size_t i = 0; i < pe_of_.size(); ++i)
      if (!now_.objects.migratable[i]) pe_of_[i] = now_.objects.pe[i];
    LateDecision late;
    late.decision.pe_of = keep_memory_limit(now_, std::move(pe_of_), false);
    late.decision.splits = splits();
    if (!now_.pes.memory_bytes.empty()) keep_memory_limit(now_, late.decision.pe_of, late.decision.splits);
    late.drift = drift();
    late.drift.imbalance_percent = percent_imbalance(finish_times(now_, late.decision), perfect_finish(now_));
    late.dropped = has_become_worse(late.decision);
    if (late.dropped) late.decision = {now_.objects.pe, {}};
    return late;
  }

 private:
  // Rule C.
  void place_new(std::span<const std::uint64_t> parent_of) {
    std::vector<ObjectIndex> left;
    for (const ObjectIndex i : come_)
      if (const std::optional<PeIndex> pe = place_of_parent(i, parent_of))
        pe_of_[i] = *pe;
      else if (const std::optional<PeIndex> near = place_of_nearest(i))
        pe_of_[i] = *near;
      else
        left.push_back(i);
    if (left.empty()) return;
    std::vector<double> finish = now_.pes.background_s;
    const auto add = [&](ObjectIndex i) {
      finish[pe_of_[i]] += now_.objects.load[i] / now_.pes.speed[pe_of_[i]];
    };
    std::vector<bool> is_left(now_.object_count());
    for (const ObjectIndex i : left) is_left[i] = true;
    for (ObjectIndex i = 0; i < now_.object_count(); ++i)
      if (!is_left[i]) add(i);
    std::ranges::stable_sort(left, std::greater(), [&](ObjectIndex i) { return now_.objects.load[i]; });
    for (const ObjectIndex i : left) {
      pe_of_[i] = static_cast<PeIndex>(std::ranges::min_element(finish) - finish.begin());
      add(i);
    }
  }

  std::optional<PeIndex> place_of_parent(ObjectIndex i, std::span<const std::uint64_t> parent_of) const {
    if (parent_of.empty() || parent_of[i] == now_.objects.id[i]) return std::nullopt;
    const auto parent = number_then_.find(parent_of[i]);
    if (parent == number_then_.end()) return std::nullopt;
    return decided_.pe_of[parent->second];
  }

  std::optional<PeIndex> place_of_nearest(ObjectIndex i) const {
    if (now_.objects.position.empty() || known_.empty()) return std::nullopt;
    const auto nearest = std::ranges::min_element(known_, {}, [&](const Known& other) {
      return distance(now_.objects.position[i], now_.objects.position[other.now]);
    });
    return pe_of_[nearest->now];
  }

  std::vector<Split> splits() const {
    std::vector<Split> kept;
    if (now_.objects.splittable.empty() || decided_.splits.empty()) return kept;
    std::unordered_map<ObjectIndex, ObjectIndex> now_of;
    for (const auto& [now, then] : known_) now_of.emplace(then, now);
    for (Split split : decided_.splits) {
      const auto object = now_of.find(split.object);
      if (object == now_of.end() || !now_.objects.splittable[object->second] ||
          !now_.objects.migratable[object->second])
        continue;
      split.object = object->second;
      kept.push_back(split);
    }
    return kept;
  }

  LateDrift drift() const {
    LateDrift drift;
    const double before = sum(then_.objects.load);
    drift.work_percent = percent(sum(now_.objects.load) - before, before);
    double changed = 0, loads = 0;
    std::size_t with_change = 0;
    for (const auto& [now, then] : known_) {
      const double load = then_.objects.load[then], change = std::abs(now_.objects.load[now] - load);
      loads += load;
      changed += change;
      with_change += change > kChanged * load;
    }
    drift.changed_percent = percent(static_cast<double>(with_change), static_cast<double>(known_.size()));
    drift.change_percent = percent(changed, loads);
    drift.gone = then_.object_count() - known_.size();
    drift.come = come_.size();
    return drift;
  }

  bool has_become_worse(const Decision& late) const {
    const auto largest = [](const Snapshot& snapshot, const Decision& decision) {
      return std::ranges::max(finish_times(snapshot, decision));
    };
    return largest(now_, late) > largest(now_, {now_.objects.pe, {}}) && !is_above_memory() &&
           largest(then_, decided_) <= largest(then_, {then_.objects.pe, {}});
  }

  bool is_above_memory() const {
    if (now_.pes.memory_bytes.empty()) return false;
    const std::vector<std::uint64_t> held = held_bytes(now_, now_.objects.pe);
    for (std::size_t pe = 0; pe < held.size(); ++pe)
      if (held[pe] > now_.pes.memory_bytes[pe]) return true;
    return false;
  }

  // An object that is in both, by its numbers.
  struct Known {
    ObjectIndex now, then;
  };
  const Snapshot& then_;
  const Decision& decided_;
  const Snapshot& now_;
  Numbers number_then_;
  std::vector<Known> known_;
  std::vector<ObjectIndex> come_;
  Assignment pe_of_;
};

}  // namespace

LateDecision apply_late(const Snapshot& then, const Decision& decided, const Snapshot& now,
                        std::span<const std::uint64_t> parent_of) {
  return Late(then, decided, now).result(parent_of);
}

}  // namespace skein::lb
