// SPDX-License-Identifier: Apache-2.0
// rcb: recursive coordinate bisection. The PEs are halved by number, the objects by a plane across the
// longest side of their bounding box, so that each half gets the load that its PEs should have; then each
// half is divided.
//
// Looks at positions, loads, speeds, background. Wins where positions tell which objects communicate: parts
// are boxes with little surface. A cut that shifts takes all cuts below it along, so more objects move than
// with sfc. Each cut misses by at most half an object. O(n log n log PEs).
// M. J. Berger, S. H. Bokhari, "A partitioning strategy for nonuniform problems on multiprocessors", IEEE
// Transactions on Computers C-36 (1987).
#include <algorithm>
#include <numeric>

#include "lb/kernel/portions.hpp"
#include "lb/parallel/problem.hpp"
#include "lb/strategies/define.hpp"
#include "lb/strategies/values.hpp"

namespace skein::lb {
namespace {

class Bisection {
 public:
  explicit Bisection(const Snapshot& snapshot)
      : objects_(snapshot.objects), portions_(movable_portions(snapshot)), pe_of_(objects_.pe) {}

  Assignment run() {
    std::vector<ObjectIndex> all = movable_objects(objects_);
    split(all, 0, static_cast<PeIndex>(portions_.size()));
    return std::move(pe_of_);
  }

 private:
  void split(std::span<ObjectIndex> part, PeIndex first_pe, PeIndex end_pe) {
    if (end_pe - first_pe == 1 || part.empty()) {
      for (ObjectIndex i : part) pe_of_[i] = first_pe;
      return;
    }
    const PeIndex middle_pe = first_pe + (end_pe - first_pe) / 2;
    const int side = longest_side(part);
    std::ranges::sort(part, [&](ObjectIndex a, ObjectIndex b) {
      const float x = objects_.position[a][side], y = objects_.position[b][side];
      return x != y ? x < y : a < b;
    });
    const std::size_t cut = find_cut(part, portion(first_pe, middle_pe), portion(middle_pe, end_pe));
    split(part.first(cut), first_pe, middle_pe);
    split(part.subspan(cut), middle_pe, end_pe);
  }

  double portion(PeIndex first_pe, PeIndex end_pe) const {
    return std::accumulate(portions_.begin() + first_pe, portions_.begin() + end_pe, 0.0);
  }

  int longest_side(std::span<const ObjectIndex> part) const {
    int longest = 0;
    float extent = -1;
    for (int side = 0; side < 3; ++side) {
      const auto [low, high] =
          std::ranges::minmax(part, {}, [&](ObjectIndex i) { return objects_.position[i][side]; });
      const float length = objects_.position[high][side] - objects_.position[low][side];
      if (length > extent) {
        longest = side;
        extent = length;
      }
    }
    return longest;
  }

  /// Returns how many objects of the sorted part the first half gets: up to one whose middle passes its
  /// share.
  std::size_t find_cut(std::span<const ObjectIndex> part, double first_portion, double second_portion) const {
    double load = 0;
    for (ObjectIndex i : part) load += objects_.load[i];
    const double both = first_portion + second_portion;
    const double share = both > 0 ? load * (first_portion / both) : load / 2;
    double given = 0;
    std::size_t cut = 0;
    while (cut < part.size() && given + objects_.load[part[cut]] / 2 <= share)
      given += objects_.load[part[cut++]];
    return cut;
  }

  const Objects& objects_;
  std::vector<double> portions_;
  Assignment pe_of_;
};

}  // namespace

std::span<const Key> rcb_keys() { return {}; }

Assignment rcb(const Snapshot& snapshot) { return Bisection(snapshot).run(); }

Assignment assign_rcb(const Snapshot& snapshot, const Options&, std::uint64_t) { return rcb(snapshot); }

Assignment assign_part_rcb(const SnapshotPart& part, const Options&, std::uint64_t seed, Team& team) {
  return partition_by_position(Flavour::boxes, part, seed, team);
}

}  // namespace skein::lb
