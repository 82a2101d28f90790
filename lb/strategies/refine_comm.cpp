// SPDX-License-Identifier: Apache-2.0
// refine-comm: refine that weighs communication, in three steps.
//
// Shed. A PE above the limit (as in refine) gives away the objects that are least tied to it: those with the
// least (bytes exchanged with objects of the same PE) - (bytes exchanged with the other PE of most traffic)
// per load. Partners of an object that leaves are then less tied, so a PE is peeled from its border.
//
// Place. Shed objects go, heaviest first, each to the PE with which it exchanges most among those that still
// keep the limit, or else to the PE that would finish it first. If the limit cannot be kept, it is searched
// as in refine.
//
// Sweep. An object moves to a PE with which it exchanges more than with its own, if that PE keeps the limit
// and the bytes saved between PEs in `horizon` LB steps exceed the bytes that moving it takes.
//
// Looks at loads, speeds, background, placement, the graph and the sizes of objects. Wins if neighbours
// exchange much and drifted apart; without communication refine moves fewer objects. Never worse than before
// in finish time. O(sweeps (n + edges) + s log s), s the objects on PEs above the limit and their edges.
#include <algorithm>
#include <functional>

#include "lb/kernel/finish_queue.hpp"
#include "lb/kernel/floors.hpp"
#include "lb/kernel/limit_search.hpp"
#include "lb/kernel/neighbours.hpp"
#include "lb/strategies/define.hpp"
#include "lb/strategies/values.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

constexpr PeIndex kNoPe = ~PeIndex{0};

struct Placement {
  double largest_finish;
  Assignment pe_of;
};

class CommRefiner {
 public:
  CommRefiner(const Snapshot& snapshot, const std::vector<double>& finish, const Floors& floors)
      : snapshot_(snapshot),
        objects_(snapshot.objects),
        finish_(finish),
        floors_(floors),
        links_(snapshot),
        traffic_(snapshot.pe_count()) {}

  /// Sheds and places objects.
  Placement balance(double limit) {
    Placement result{0, objects_.pe};
    std::vector<double> finish = finish_;
    const std::vector<ObjectIndex> shed = shed_above(limit, finish, result.pe_of);
    FinishQueue queue(snapshot_.pes, std::move(finish));
    for (ObjectIndex i : shed) {
      const double load = objects_.load[i];
      count_traffic(i, result.pe_of);
      PeIndex pe = busiest_partner([&](PeIndex q) { return queue.finish_with(q, load) <= limit; });
      if (pe != kNoPe) {
        queue.add(pe, load);
      } else {
        pe = queue.place(load);
      }
      result.pe_of[i] = pe;
    }
    result.largest_finish = floors_.largest_above(queue.finish_times());
    return result;
  }

  /// Makes one sweep.
  void save_traffic(Assignment& pe_of, double limit, double horizon) {
    std::vector<double> finish = finish_times(snapshot_, pe_of);
    const auto seconds = [&](ObjectIndex i, PeIndex pe) {
      return objects_.load[i] / snapshot_.pes.speed[pe];
    };
    for (ObjectIndex i = 0; i < objects_.size(); ++i) {
      if (!can_move(i)) continue;
      const PeIndex from = pe_of[i];
      count_traffic(i, pe_of);
      const PeIndex to =
          busiest_partner([&](PeIndex q) { return q != from && finish[q] + seconds(i, q) <= limit; });
      if (to == kNoPe) continue;
      const double saved = traffic_[to] - traffic_[from];
      if (saved <= 0 || saved * horizon <= static_cast<double>(objects_.bytes[i])) continue;
      finish[from] -= seconds(i, from);
      finish[to] += seconds(i, to);
      pe_of[i] = to;
    }
  }

 private:
  bool can_move(ObjectIndex i) const {
    return objects_.migratable[i] && objects_.load[i] > 0 && !floors_.keeps(i);
  }

  /// Fills traffic_ with the bytes that object i exchanges with each PE; objects without a PE do not count.
  void count_traffic(ObjectIndex i, const Assignment& pe_of) {
    traffic_.clear();
    for (const Neighbours::Link& link : links_.of(i)) {
      if (pe_of[link.object] != kNoPe) traffic_.add(pe_of[link.object], link.bytes);
    }
  }

  /// Returns the PE with the most traffic among those that `fits` accepts, of equal ones the lowest; kNoPe if
  /// it accepts none.
  template <class Fits>
  PeIndex busiest_partner(Fits fits) const {
    PeIndex best = kNoPe;
    for (PeIndex q : traffic_.touched()) {
      const bool busier =
          best == kNoPe || traffic_[q] > traffic_[best] || (traffic_[q] == traffic_[best] && q < best);
      if (busier && fits(q)) best = q;
    }
    return best;
  }

  /// Takes objects from PEs above the limit, in `finish` and `pe_of`, and returns them heaviest first.
  std::vector<ObjectIndex> shed_above(double limit, std::vector<double>& finish, Assignment& pe_of) {
    // hold[i]: how many more bytes object i exchanges with its own PE than with its busiest other PE.
    std::vector<double> hold(objects_.size(), 0);
    std::vector<std::vector<Candidate>> candidates(finish.size());  // heaps, least hold per load first
    for (ObjectIndex i = 0; i < objects_.size(); ++i) {
      const PeIndex own = objects_.pe[i];
      if (finish[own] <= limit || !can_move(i)) continue;
      count_traffic(i, objects_.pe);
      const PeIndex other = busiest_partner([&](PeIndex q) { return q != own; });
      hold[i] = traffic_[own] - (other == kNoPe ? 0 : traffic_[other]);
      candidates[own].push_back({hold[i], i});
    }
    const auto holds_more = [&](const Candidate& a, const Candidate& b) {
      const double left = a.hold * objects_.load[b.object], right = b.hold * objects_.load[a.object];
      return left != right ? left > right : a.object > b.object;
    };
    std::vector<ObjectIndex> shed;
    for (PeIndex pe = 0; pe < finish.size(); ++pe) {
      std::vector<Candidate>& heap = candidates[pe];
      std::ranges::make_heap(heap, holds_more);
      while (finish[pe] > limit && !heap.empty()) {
        std::ranges::pop_heap(heap, holds_more);
        const Candidate candidate = heap.back();
        heap.pop_back();
        const ObjectIndex i = candidate.object;
        if (pe_of[i] == kNoPe || candidate.hold != hold[i])
          continue;  // already shed, or replaced by a newer entry
        finish[pe] = std::max(0.0, finish[pe] - objects_.load[i] / snapshot_.pes.speed[pe]);
        pe_of[i] = kNoPe;
        shed.push_back(i);
        for (const Neighbours::Link& link : links_.of(i)) {
          if (pe_of[link.object] != pe || !can_move(link.object)) continue;
          hold[link.object] -= link.bytes;
          heap.push_back({hold[link.object], link.object});
          std::ranges::push_heap(heap, holds_more);
        }
      }
    }
    std::ranges::stable_sort(shed, std::greater{}, [&](ObjectIndex i) { return objects_.load[i]; });
    return shed;
  }

  struct Candidate {
    double hold;
    ObjectIndex object;
  };

  const Snapshot& snapshot_;
  const Objects& objects_;
  const std::vector<double>& finish_;
  const Floors& floors_;
  Neighbours links_;
  PeTraffic traffic_;
};

}  // namespace

std::span<const Key> refine_comm_keys() {
  static constexpr Key keys[] = {
      real_key("tolerance", "1.02", 1, 10, "largest finish time to aim at, as a multiple of the perfect one"),
      integer_key("sweeps", "3", 0, 100,
                  "passes over all objects that look for moves which save communication"),
      real_key("horizon", "10", 0, 1e9, "LB steps in which saved traffic must make up for the bytes moved"),
  };
  return keys;
}

Assignment refine_comm(const Snapshot& snapshot, const RefineCommValues& values) {
  const std::vector<double> finish = finish_times(snapshot, snapshot.objects.pe);
  const double wanted = values.tolerance * perfect_finish(snapshot);
  const Floors floors(snapshot, wanted);
  CommRefiner refiner(snapshot, finish, floors);
  Placement best{floors.largest_above(finish), snapshot.objects.pe};
  if (best.largest_finish > wanted) {
    best = search_limit(wanted, std::move(best), [&](double limit) { return refiner.balance(limit); });
  }
  const double limit = std::min(std::ranges::max(finish), std::max(wanted, best.largest_finish));
  for (std::int64_t sweep = 0; sweep < values.sweeps; ++sweep) {
    refiner.save_traffic(best.pe_of, limit, values.horizon);
  }
  return best.pe_of;
}

Assignment assign_refine_comm(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return refine_comm(snapshot,
                     {options.real("tolerance"), options.integer("sweeps"), options.real("horizon")});
}

}  // namespace skein::lb
