// SPDX-License-Identifier: Apache-2.0
// samr: the grids of structured adaptive mesh refinement, as in Z. Lan, V. E. Taylor, G. Bryan, "A novel
// dynamic load balancing scheme for parallel systems", Journal of Parallel and Distributed Computing 62
// (2002).
//
// A row of unit cubes is refined around a point: the grid that looks largest from there (side / (side +
// distance)) gets eight children of half its side, and so on. All grids have the same number of cells, but a
// grid of level l takes 2^l steps in the time of one coarse step: its load is 2^l. Grids exchange `bytes`
// with their parent (2^level times) and with siblings that share a face. n = roots + 8 x refinements, so 1 to
// 8 roots allow any number of grids. Grids are on the PEs in blocks of equal number, in the order of their
// creation: so refinement causes imbalance.
#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <tuple>

#include "lb/generate/define.hpp"
#include "lb/kernel/random.hpp"

namespace skein::lb {
namespace {

struct Grid {
  std::array<double, 3> centre;
  double side;
  int level;
};

class GridTree {
 public:
  GridTree(const GenerateSize& size, const Options& options)
      : size_(size), options_(options), random_(size.seed) {
    const std::size_t roots = (size.objects - 1) % 8 + 1;
    for (double& x : point_) x = random_.unit();
    point_[0] *= static_cast<double>(roots);
    for (std::size_t r = 0; r < roots; ++r) add({{static_cast<double>(r) + 0.5, 0.5, 0.5}, 1, 0});
    for (ObjectIndex r = 0; r + 1 < roots; ++r) exchange(r, r + 1, 1);
    while (grids_.size() < size.objects) refine();
  }

  Snapshot make() const {
    Snapshot snapshot;
    snapshot.pes = uniform_pes(size_.pes, size_.pes_per_node);
    for (std::size_t i = 0; i < grids_.size(); ++i) {
      snapshot.add_object({.id = i,
                           .pe = static_cast<PeIndex>(i * size_.pes / grids_.size()),
                           .load = std::ldexp(1.0, grids_[i].level),
                           .bytes = static_cast<std::uint64_t>(options_.integer("size"))});
      const auto& centre = grids_[i].centre;
      snapshot.objects.position.push_back(
          {static_cast<float>(centre[0]), static_cast<float>(centre[1]), static_cast<float>(centre[2])});
    }
    if (options_.integer("splittable") == 1) snapshot.objects.splittable.assign(grids_.size(), 1);
    for (const Grid& grid : grids_) snapshot.objects.level.push_back(grid.level);
    snapshot.graph = make_comm_graph(grids_.size(), edges_);
    return snapshot;
  }

 private:
  /// The oldest of the grids that look equally large is refined first.
  using Candidate = std::tuple<double, std::int64_t>;  // how large it looks, minus its index

  void add(const Grid& grid) {
    double squared = 0;
    for (std::size_t d = 0; d < 3; ++d)
      squared += (grid.centre[d] - point_[d]) * (grid.centre[d] - point_[d]);
    if (grid.level < options_.integer("levels"))
      candidates_.emplace(grid.side / (grid.side + std::sqrt(squared)),
                          -static_cast<std::int64_t>(grids_.size()));
    grids_.push_back(grid);
  }

  void exchange(ObjectIndex a, ObjectIndex b, std::uint32_t times) {
    edges_.push_back({a, b, options_.real("bytes") * times, times});
    edges_.push_back({b, a, options_.real("bytes") * times, times});
  }

  void refine() {
    if (candidates_.empty())
      throw GenerateError("with " + std::to_string(options_.integer("levels")) +
                          " levels there are no more than " + std::to_string(grids_.size()) +
                          " grids; raise the key 'levels'");
    const auto parent = static_cast<ObjectIndex>(-std::get<1>(candidates_.top()));
    candidates_.pop();
    const Grid whole = grids_[parent];
    const auto first = static_cast<ObjectIndex>(grids_.size());
    const std::uint32_t steps = 1u << std::min(whole.level + 1, 31);
    for (unsigned child = 0; child < 8; ++child) {
      Grid grid{whole.centre, whole.side / 2, whole.level + 1};
      for (unsigned d = 0; d < 3; ++d) grid.centre[d] += (child >> d & 1 ? 0.25 : -0.25) * whole.side;
      add(grid);
      exchange(parent, first + child, steps);
      for (unsigned d = 0; d < 3; ++d)
        if (child >> d & 1) exchange(first + child, first + (child ^ 1u << d), steps);
    }
  }

  const GenerateSize& size_;
  const Options& options_;
  Random random_;
  std::array<double, 3> point_;
  std::vector<Grid> grids_;
  std::vector<CommEdge> edges_;
  std::priority_queue<Candidate> candidates_;
};

}  // namespace

std::span<const Key> samr_keys() {
  static constexpr Key keys[] = {
      integer_key("levels", "8", 0, 40, "number of the finest level; the roots are level 0"),
      real_key("bytes", "8192", 0, 1e12, "bytes exchanged over a face, and with the parent"),
      integer_key("size", "1048576", 0, 1e15, "bytes of a grid"),
      integer_key("splittable", "0", 0, 1, "1: strategies may split grids"),
  };
  return keys;
}

Snapshot generate_samr(const GenerateSize& size, const Options& options) {
  return GridTree(size, options).make();
}

}  // namespace skein::lb
