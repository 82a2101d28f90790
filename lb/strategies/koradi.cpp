// SPDX-License-Identifier: Apache-2.0
// koradi: every PE has a point and a bias, and an object at x belongs to the PE with the least |x - point|^2
// - bias: cells with straight borders, which a greater bias pushes out. In each step a PE with too much load
// lowers its bias, one with too little raises it, in proportion to the size of its cell; and the points move
// to the centres of gravity of their cells. The best placement of all steps is taken.
//
// Points and biases continue from the last decision (Pes::cells): so every_step, which makes one step at each
// sync point, reaches the same result as that many steps at once while loads stay, and follows loads that
// change. It is the diffusive choice of Pearce et al. in their benchmark.
//
// Looks at positions, loads, speeds, background, placement. Wins where positions tell which objects
// communicate and loads drift: cells are compact and move a little. Loses where the present cells do not fit
// the space at all: scattered objects have to come together first (start=rcb begins afresh instead). Returns
// the present placement when no step finishes earlier. O(steps (n log PEs + PEs log^2 PEs)).
// R. Koradi, M. Billeter, P. Guentert, "Point-centered domain decomposition for parallel molecular dynamics
// simulation", Computer Physics Communications 124 (2000); the rule for cells is equation 12 of O. Pearce et
// al., ICS 2012. How fast biases follow loads is Skein's choice.
#include <algorithm>
#include <cmath>

#include "lb/kernel/nearest_cell.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/strategies/define.hpp"
#include "lb/strategies/values.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// Sums over the objects in a cell.
struct Contents {
  double load = 0;
  double count = 0;
  std::array<double, 3> sum{};
  double sum_of_squares = 0;
};

class Domains {
 public:
  explicit Domains(const Snapshot& snapshot)
      : objects_(snapshot.objects),
        movable_(movable_objects(objects_)),
        wanted_(movable_portions(snapshot)),
        cells_(snapshot.pe_count()) {}

  void go_on_from(const std::vector<Cell>& cells) { cells_ = cells; }
  const std::vector<Cell>& cells() const { return cells_; }

  /// Puts each point at the centre of gravity of its PE's objects. A PE without objects starts beside the
  /// fullest PE's point, to take over a part of its cell.
  void start_from(const Assignment& pe_of) {
    const std::vector<Contents> contents = measure(pe_of);
    const auto fullest =
        std::ranges::max_element(contents, {}, [](const Contents& cell) { return cell.load; });
    std::size_t empty = 0;
    for (PeIndex pe = 0; pe < cells_.size(); ++pe) {
      if (contents[pe].count > 0) {
        cells_[pe].centre = centre_of(contents[pe]);
        continue;
      }
      cells_[pe].centre = centre_of(*fullest);
      // Spread them by the golden angle, so that no two coincide.
      const double angle = 2.399963 * static_cast<double>(++empty);
      const double radius = 0.5 * std::sqrt(spread_of(*fullest));
      cells_[pe].centre[0] += radius * std::cos(angle);
      cells_[pe].centre[1] += radius * std::sin(angle);
    }
  }

  /// Gives every movable object to the cell that contains it.
  void place(Assignment& pe_of) const {
    const NearestCell nearest(cells_);
    for (ObjectIndex i : movable_) pe_of[i] = nearest.find(objects_.position[i], pe_of[i]);
  }

  void adapt(const Assignment& pe_of, double rate) {
    const std::vector<Contents> contents = measure(pe_of);
    const std::vector<double> sizes = squared_sizes();
    for (PeIndex pe = 0; pe < cells_.size(); ++pe) {
      const Contents& cell = contents[pe];
      const double larger = std::max(cell.load, wanted_[pe]);
      const double lacks = larger > 0 ? (wanted_[pe] - cell.load) / larger : 0;  // between -1 and 1
      // Between points at distance d, a difference of biases of d^2 moves the border by d / 2.
      cells_[pe].bias += rate * lacks * sizes[pe];
      if (cell.count > 0) cells_[pe].centre = centre_of(cell);
    }
  }

 private:
  std::vector<Contents> measure(const Assignment& pe_of) const {
    std::vector<Contents> contents(cells_.size());
    for (ObjectIndex i : movable_) {
      Contents& cell = contents[pe_of[i]];
      cell.load += objects_.load[i];
      ++cell.count;
      for (std::size_t d = 0; d < 3; ++d) {
        const double x = objects_.position[i][d];
        cell.sum[d] += x;
        cell.sum_of_squares += x * x;
      }
    }
    return contents;
  }

  /// Returns the squared distance from each point to the nearest other one; at least a tenth of the mean,
  /// because points may coincide.
  std::vector<double> squared_sizes() const {
    std::vector<Cell> points(cells_);
    for (Cell& cell : points) cell.bias = 0;
    const NearestCell nearest(points);
    std::vector<double> sizes(cells_.size(), 0);
    if (sizes.size() == 1) return sizes;
    double sum = 0;
    for (PeIndex pe = 0; pe < sizes.size(); ++pe) sum += sizes[pe] = nearest.squared_distance_to_next(pe);
    for (double& size : sizes) size = std::max(size, 0.1 * sum / static_cast<double>(sizes.size()));
    return sizes;
  }

  static std::array<double, 3> centre_of(const Contents& cell) {
    return {cell.sum[0] / cell.count, cell.sum[1] / cell.count, cell.sum[2] / cell.count};
  }

  /// Returns the mean squared distance from the centre.
  static double spread_of(const Contents& cell) {
    double squared_centre = 0;
    for (double x : centre_of(cell)) squared_centre += x * x;
    return std::max(0.0, cell.sum_of_squares / cell.count - squared_centre);
  }

  const Objects& objects_;
  std::vector<ObjectIndex> movable_;
  std::vector<double> wanted_;
  std::vector<Cell> cells_;
};

}  // namespace

std::span<const Key> koradi_keys() {
  static constexpr Key keys[] = {
      integer_key("steps", "100", 1, 1e6, "most adaptations of biases and points"),
      real_key("rate", "0.3", 0.001, 2, "part of a load difference that a step tries to remove"),
      real_key("tolerance", "1.02", 1, 10, "stops at this multiple of the perfect finish time"),
      choice_key("start", "present", "present|rcb",
                 "cells at the start of a step. present: around the objects of each PE, then those of the "
                 "last step; rcb: always the boxes of rcb"),
      switch_key(kEveryStepKey, "makes one step at each sync point, whatever the period is"),
  };
  return keys;
}

Decision go_on_koradi(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  const double limit = options.real("tolerance") * perfect_finish(snapshot);
  Decision best{snapshot.objects.pe, {}, snapshot.pes.cells};
  double least = largest_finish(snapshot, best.pe_of);
  if (least <= limit || movable_objects(snapshot.objects).empty()) return best;

  Domains domains(snapshot);
  Assignment pe_of = best.pe_of;
  const bool afresh = options.choice("start") == "rcb";
  if (afresh) pe_of = rcb(snapshot);
  if (afresh || snapshot.pes.cells.empty())
    domains.start_from(pe_of);
  else
    domains.go_on_from(snapshot.pes.cells);
  const auto place = [&] {
    domains.place(pe_of);
    const double finish = largest_finish(snapshot, pe_of);
    if (finish >= least) return;
    least = finish;
    best.pe_of = pe_of;
  };
  place();  // the result of the last decision: objects may not have followed it, and loads have changed
  const std::int64_t steps = options.choice(kEveryStepKey) == "yes" ? 1 : options.integer("steps");
  for (std::int64_t step = 0; step < steps && least > limit; ++step) {
    domains.adapt(pe_of, options.real("rate"));
    place();
  }
  best.cells = domains.cells();
  return best;
}

Assignment assign_koradi(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  return go_on_koradi(snapshot, options, seed).pe_of;
}

}  // namespace skein::lb
