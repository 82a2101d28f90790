// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/memory_limit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lb/kernel/held_bytes.hpp"
#include "lb/kernel/pe_extremes.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// A placement that is being changed, with the bytes and finish time of each PE.
class Packing {
 public:
  Packing(const Snapshot& snapshot, Assignment pe_of)
      : snapshot_(snapshot),
        objects_(snapshot.objects),
        pe_of_(std::move(pe_of)),
        held_(snapshot, pe_of_),
        finish_(finish_times(snapshot, pe_of_)) {}

  bool over(PeIndex pe) const { return held_[pe] > limit(pe); }
  bool any_over() const {
    for (PeIndex pe = 0; pe < snapshot_.pe_count(); ++pe) {
      if (over(pe)) return true;
    }
    return false;
  }
  bool fits(ObjectIndex i, PeIndex pe) const {
    return !over(pe) && held_.with(i, pe, objects_.bytes[i]) <= limit(pe) - held_[pe];
  }

  void move(ObjectIndex i, PeIndex to) {
    const PeIndex from = pe_of_[i];
    held_.remove(i, from);
    held_.add(i, to, objects_.bytes[i]);
    finish_.set(from, std::max(0.0, finish_[from] - objects_.load[i] / snapshot_.pes.speed[from]));
    finish_.set(to, finish_[to] + objects_.load[i] / snapshot_.pes.speed[to]);
    pe_of_[i] = to;
  }

  /// Makes every PE above its limit give objects to others with room, in the order of leaves_before(), until
  /// it keeps its limit; objects that fit nowhere stay.
  void relieve() {
    std::vector<std::vector<ObjectIndex>> on(snapshot_.pe_count());
    for (ObjectIndex i = 0; i < pe_of_.size(); ++i) {
      const bool holds = objects_.bytes[i] > 0 || !snapshot_.blocks.empty();
      if (over(pe_of_[i]) && objects_.migratable[i] && holds) on[pe_of_[i]].push_back(i);
    }
    for (PeIndex pe = 0; pe < on.size(); ++pe) {
      std::ranges::sort(on[pe], [&](ObjectIndex a, ObjectIndex b) { return leaves_before(a, b, pe); });
      for (ObjectIndex i : on[pe]) {
        if (!over(pe)) break;
        if (const PeIndex to = first_with_room(i); to != kNoPe) move(i, to);
      }
    }
  }

  const Assignment& placement() const { return pe_of_; }
  Assignment take() { return std::move(pe_of_); }

 private:
  static constexpr PeIndex kNoPe = ~PeIndex{0};

  std::uint64_t limit(PeIndex pe) const { return snapshot_.pes.memory_bytes[pe]; }

  /// Orders the objects that leave: arrivals first, which then need no further move, and the largest first.
  bool leaves_before(ObjectIndex a, ObjectIndex b, PeIndex pe) const {
    const bool a_lives_here = objects_.pe[a] == pe, b_lives_here = objects_.pe[b] == pe;
    if (a_lives_here != b_lives_here) return b_lives_here;
    return objects_.bytes[a] != objects_.bytes[b] ? objects_.bytes[a] > objects_.bytes[b] : a < b;
  }

  PeIndex first_with_room(ObjectIndex i) const {
    for (const auto& [finish, pe] : finish_.rising()) {
      if (pe != pe_of_[i] && fits(i, pe)) return pe;
    }
    return kNoPe;
  }

  const Snapshot& snapshot_;
  const Objects& objects_;
  Assignment pe_of_;
  HeldBytes held_;
  PeExtremes finish_;
};

/// Returns the present placement, relieved, with those moves of `wanted` that fit one after the other. Passes
/// repeat until one changes nothing, because a move may fit after others have made room.
Assignment apply_what_fits(const Snapshot& snapshot, const Assignment& wanted) {
  const Objects& objects = snapshot.objects;
  Packing packing(snapshot, objects.pe);
  packing.relieve();
  std::vector<ObjectIndex> waiting;
  for (ObjectIndex i = 0; i < wanted.size(); ++i) {
    if (wanted[i] != packing.placement()[i]) waiting.push_back(i);
  }
  std::ranges::stable_sort(waiting, std::greater{}, [&](ObjectIndex i) { return objects.load[i]; });
  for (std::size_t before = waiting.size() + 1; waiting.size() < before;) {
    before = waiting.size();
    std::erase_if(waiting, [&](ObjectIndex i) {
      if (!packing.fits(i, wanted[i])) return false;
      packing.move(i, wanted[i]);
      return true;
    });
  }
  return packing.take();
}

}  // namespace

Assignment keep_memory_limit(const Snapshot& snapshot, Assignment pe_of, bool never_worse) {
  if (snapshot.pes.memory_bytes.empty() || pe_of.empty()) return pe_of;
  Packing repaired(snapshot, pe_of);
  if (!repaired.any_over()) return pe_of;
  repaired.relieve();
  Assignment result = repaired.any_over() ? apply_what_fits(snapshot, pe_of) : repaired.take();
  const bool present_fits = !Packing(snapshot, snapshot.objects.pe).any_over();
  const bool worse =
      never_worse && largest_finish(snapshot, result) > largest_finish(snapshot, snapshot.objects.pe);
  return present_fits && worse ? snapshot.objects.pe : result;
}

void keep_memory_limit(const Snapshot& snapshot, const Assignment& pe_of, std::vector<Split>& splits) {
  const std::vector<std::uint64_t>& limit = snapshot.pes.memory_bytes;
  if (limit.empty()) return;
  HeldBytes held(snapshot, pe_of);
  std::erase_if(splits, [&](const Split& split) {
    const auto bytes = static_cast<std::uint64_t>(
        std::ceil(split.fraction * static_cast<double>(snapshot.objects.bytes[split.object])));
    if (held[split.pe] > limit[split.pe] ||
        held.with(split.object, split.pe, bytes) > limit[split.pe] - held[split.pe])
      return true;
    held.add(split.object, split.pe, bytes);
    return false;
  });
}

}  // namespace skein::lb
