// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/late.hpp"

#include <algorithm>
#include <cmath>
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

  LatePart result(std::span<const std::uint64_t> parent_of) {
    pe_of_ = now_.objects.pe;
    for (const auto& [now, then] : known_) pe_of_[now] = decided_.pe_of[then];
    place_new(parent_of);
    // Objects that may not move any more stay.
    for (std::size_t i = 0; i < pe_of_.size(); ++i)
      if (!now_.objects.migratable[i]) pe_of_[i] = now_.objects.pe[i];
    return {{std::move(pe_of_), splits()}, sums()};
  }

 private:
  /// Places new objects by rule C.
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
    const auto nearest = std::ranges::min_element(known_, {}, [&](const CommonObject& other) {
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

  LateSums sums() const {
    LateSums sums{.work_then = sum(then_.objects.load), .work_now = sum(now_.objects.load)};
    for (const auto& [now, then] : known_) {
      const double load = then_.objects.load[then], change = std::abs(now_.objects.load[now] - load);
      sums.known_then += load;
      sums.change += change;
      sums.changed += change > kChanged * load ? 1 : 0;
    }
    sums.known = static_cast<double>(known_.size());
    sums.gone = static_cast<double>(then_.object_count() - known_.size());
    sums.come = static_cast<double>(come_.size());
    return sums;
  }

  /// The indices of an object in both snapshots.
  struct CommonObject {
    ObjectIndex now, then;
  };
  const Snapshot& then_;
  const Decision& decided_;
  const Snapshot& now_;
  Numbers number_then_;
  std::vector<CommonObject> known_;
  std::vector<ObjectIndex> come_;
  Assignment pe_of_;
};

bool is_above_memory(const Snapshot& now) {
  if (now.pes.memory_bytes.empty()) return false;
  const std::vector<std::uint64_t> held = held_bytes(now, now.objects.pe);
  for (std::size_t pe = 0; pe < held.size(); ++pe)
    if (held[pe] > now.pes.memory_bytes[pe]) return true;
  return false;
}

bool has_become_worse(const Snapshot& then, const Decision& decided, const Snapshot& now,
                      const Decision& late) {
  const auto largest = [](const Snapshot& snapshot, const Decision& decision) {
    return std::ranges::max(finish_times(snapshot, decision));
  };
  return largest(now, late) > largest(now, {now.objects.pe, {}}) && !is_above_memory(now) &&
         largest(then, decided) <= largest(then, {then.objects.pe, {}});
}

}  // namespace

LateDrift drift_of(const LateSums& sums, double imbalance_percent) {
  return {.work_percent = percent(sums.work_now - sums.work_then, sums.work_then),
          .changed_percent = percent(sums.changed, sums.known),
          .change_percent = percent(sums.change, sums.known_then),
          .imbalance_percent = imbalance_percent,
          .gone = static_cast<std::uint64_t>(sums.gone),
          .come = static_cast<std::uint64_t>(sums.come)};
}

LatePart apply_late_part(const Snapshot& then, const Decision& decided, const Snapshot& now,
                         std::span<const std::uint64_t> parent_of) {
  return Late(then, decided, now).result(parent_of);
}

LateDecision apply_late(const Snapshot& then, const Decision& decided, const Snapshot& now,
                        std::span<const std::uint64_t> parent_of) {
  LatePart part = apply_late_part(then, decided, now, parent_of);
  LateDecision late;
  late.decision = std::move(part.decision);
  late.decision.pe_of = keep_memory_limit(now, std::move(late.decision.pe_of), false);
  if (!now.pes.memory_bytes.empty()) keep_memory_limit(now, late.decision.pe_of, late.decision.splits);
  late.drift = drift_of(part.sums, percent_imbalance(finish_times(now, late.decision), perfect_finish(now)));
  late.dropped = has_become_worse(then, decided, now, late.decision);
  if (late.dropped) late.decision = {now.objects.pe, {}};
  return late;
}

}  // namespace skein::lb
