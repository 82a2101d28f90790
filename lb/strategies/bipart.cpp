// SPDX-License-Identifier: Apache-2.0
// bipart: recursive bipartition of the communication graph. The PEs are halved by number, the objects along
// the graph's longest direction. For that, objects are ordered by their distance from an object at the rim,
// and the distances are smoothed over the edges (an approximation of the Fiedler vector: variation across
// short directions dies out first). The first objects, up to the load of the first half of the PEs, are the
// first half. Sweeps then move objects between the halves where that saves traffic and keeps the loads. Then
// each half is divided.
//
// Looks at the graph, loads, speeds, background, and pinned objects as fixed points; it ignores the placement
// of the others, so nearly all of them move. Wins on a fresh start and after upheaval, with no positions
// needed; a multilevel partitioner cuts less on large graphs. Each bisection misses by about half an object
// or the tolerance. O((rounds edges + n log n) log PEs), 60 rounds of smoothing.
// H. D. Simon, "Partitioning of unstructured problems for parallel processing", Computing Systems in
// Engineering 2 (1991), for recursive bisection along the graph and along its Fiedler vector.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lb/kernel/neighbours.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {
namespace {

constexpr int kSmoothingRounds = 60;

/// The objects that are being divided, and the PEs among which they are divided.
struct Subset {
  std::uint32_t id;
  std::vector<ObjectIndex> objects;
  PeIndex first_pe, middle_pe, end_pe;
};

class Bipartition {
 public:
  Bipartition(const Snapshot& snapshot, const Options& options)
      : objects_(snapshot.objects),
        links_(snapshot),
        portions_(movable_portions(snapshot)),
        tolerance_(options.real("tolerance")),
        sweeps_(options.integer("sweeps")),
        pe_of_(objects_.pe),
        subset_of_(objects_.size(), kFixed),
        in_first_(objects_.size(), 0),
        place_(objects_.size(), 0) {}

  Assignment run() {
    split(movable_objects(objects_), 0, static_cast<PeIndex>(portions_.size()));
    return std::move(pe_of_);
  }

 private:
  static constexpr std::uint32_t kFixed = ~0u;  // subset of the objects that stay where they are

  void split(std::vector<ObjectIndex> members, PeIndex first_pe, PeIndex end_pe) {
    if (end_pe - first_pe == 1 || members.empty()) {
      for (ObjectIndex i : members) pe_of_[i] = first_pe;
      return;
    }
    const Subset subset{subset_count_++, std::move(members), first_pe, first_pe + (end_pe - first_pe) / 2,
                        end_pe};
    for (ObjectIndex i : subset.objects) {
      subset_of_[i] = subset.id;
      in_first_[i] = 0;
    }
    const double share = first_share(subset);
    const double given = fill_first(subset, share);
    improve(subset, share, given);

    const auto side = [&](bool first) {
      std::vector<ObjectIndex> half;
      std::ranges::copy_if(subset.objects, std::back_inserter(half),
                           [&](ObjectIndex i) { return in_first_[i] == first; });
      return half;
    };
    std::vector<ObjectIndex> first_half = side(true), second_half = side(false);
    split(std::move(first_half), subset.first_pe, subset.middle_pe);
    split(std::move(second_half), subset.middle_pe, subset.end_pe);
  }

  double first_share(const Subset& subset) const {
    const auto sum = [&](PeIndex begin, PeIndex end) {
      return std::accumulate(portions_.begin() + begin, portions_.begin() + end, 0.0);
    };
    double load = 0;
    for (ObjectIndex i : subset.objects) load += objects_.load[i];
    const double first = sum(subset.first_pe, subset.middle_pe), both = sum(subset.first_pe, subset.end_pe);
    return both > 0 ? load * (first / both) : load / 2;
  }

  /// Returns 1 for an object pinned to a PE of the first half, -1 for the second half, 0 for all others.
  int fixed_side(const Subset& subset, ObjectIndex i) const {
    const PeIndex pe = objects_.pe[i];
    if (subset_of_[i] != kFixed || pe < subset.first_pe || pe >= subset.end_pe) return 0;
    return pe < subset.middle_pe ? 1 : -1;
  }

  /// Returns how many more bytes the object exchanges with the first half than with the second.
  double pull_to_first(const Subset& subset, ObjectIndex i) const {
    double pull = 0;
    for (const Neighbours::Link& link : links_.of(i)) {
      if (subset_of_[link.object] == subset.id) {
        pull += in_first_[link.object] ? link.bytes : -link.bytes;
      } else {
        pull += fixed_side(subset, link.object) * double{link.bytes};
      }
    }
    return pull;
  }

  /// Returns the objects of the subset in the order in which a breadth-first walk from `start` reaches them,
  /// and writes their depths to place_. A part that is not connected to it follows, one level deeper.
  std::vector<ObjectIndex> walk_from(const Subset& subset, ObjectIndex start) {
    const std::uint32_t reached = subset_count_++;
    std::vector<ObjectIndex> order;
    const auto reach = [&](ObjectIndex i, double depth) {
      if (subset_of_[i] != subset.id) return;
      subset_of_[i] = reached;
      place_[i] = depth;
      order.push_back(i);
    };
    reach(start, 0);
    std::size_t done = 0;
    for (std::size_t next = 0; order.size() < subset.objects.size(); ++next) {
      for (; done < order.size(); ++done) {
        for (const Neighbours::Link& link : links_.of(order[done]))
          reach(link.object, place_[order[done]] + 1);
      }
      reach(subset.objects[next], place_[order.back()] + 1);
    }
    for (ObjectIndex i : order) subset_of_[i] = subset.id;
    return order;
  }

  /// Repeatedly replaces each place by the mean of itself and its partners' mean, weighted by bytes.
  void smooth(const Subset& subset, double last_place) {
    std::vector<double> smoothed(subset.objects.size());
    for (int round = 0; round < kSmoothingRounds; ++round) {
      for (std::size_t k = 0; k < smoothed.size(); ++k) {
        double sum = 0, weight = 0;
        const auto count = [&](double place, double bytes) { sum += place * bytes, weight += bytes; };
        for (const Neighbours::Link& link : links_.of(subset.objects[k])) {
          if (subset_of_[link.object] == subset.id) {
            count(place_[link.object], link.bytes);
          } else if (const int side = fixed_side(subset, link.object); side != 0) {
            count(side > 0 ? 0 : last_place, link.bytes);
          }
        }
        const double place = place_[subset.objects[k]];
        smoothed[k] = weight > 0 ? (place + sum / weight) / 2 : place;
      }
      for (std::size_t k = 0; k < smoothed.size(); ++k) place_[subset.objects[k]] = smoothed[k];
    }
  }

  /// Moves objects from the second half, where all are, to the first up to `share`. Returns the load moved.
  double fill_first(const Subset& subset, double share) {
    const ObjectIndex rim = walk_from(subset, subset.objects.front()).back();
    std::vector<ObjectIndex> order = walk_from(subset, rim);
    smooth(subset, place_[order.back()]);
    std::ranges::sort(order, [&](ObjectIndex a, ObjectIndex b) {
      return place_[a] != place_[b] ? place_[a] < place_[b] : a < b;
    });
    double given = 0;
    for (ObjectIndex i : order) {
      if (given + objects_.load[i] / 2 > share) break;
      in_first_[i] = 1;
      given += objects_.load[i];
    }
    return given;
  }

  void improve(const Subset& subset, double share, double given) {
    const double slack = std::max(tolerance_ * share, std::abs(given - share));
    for (std::int64_t sweep = 0; sweep < sweeps_; ++sweep) {
      bool moved = false;
      for (ObjectIndex i : subset.objects) {
        const double pull = pull_to_first(subset, i);
        if (in_first_[i] ? pull >= 0 : pull <= 0) continue;
        const double after = given + (in_first_[i] ? -objects_.load[i] : objects_.load[i]);
        if (std::abs(after - share) > slack) continue;
        in_first_[i] = !in_first_[i];
        given = after;
        moved = true;
      }
      if (!moved) return;
    }
  }

  const Objects& objects_;
  Neighbours links_;
  std::vector<double> portions_;
  double tolerance_;
  std::int64_t sweeps_;
  Assignment pe_of_;
  std::vector<std::uint32_t> subset_of_;
  std::vector<std::uint8_t> in_first_;
  std::vector<double> place_;  // of the objects of the present subset: their positions along it
  std::uint32_t subset_count_ = 0;
};

}  // namespace

std::span<const Key> bipart_keys() {
  static constexpr Key keys[] = {
      real_key("tolerance", "0.005", 0, 1, "share of its load by which a half may deviate, to save traffic"),
      integer_key("sweeps", "4", 0, 100,
                  "passes over the objects of a subset that look for moves which save traffic"),
  };
  return keys;
}

Assignment assign_bipart(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return Bipartition(snapshot, options).run();
}

}  // namespace skein::lb
