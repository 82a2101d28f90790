// SPDX-License-Identifier: Apache-2.0
// Which of many weighted centres holds a point: a power diagram (Voronoi cells whose borders the weights
// move).
#pragma once
#include <array>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Finds the cell with the least |x - centre|^2 - bias, of equal ones the lowest number. With the greatest
/// bias B, that is the squared distance of (x, 0) from (centre, sqrt(B - bias)), less B: so the nearest
/// neighbour in four dimensions, by a k-d tree.
class NearestCell {
 public:
  /// O(cells log^2 cells).
  explicit NearestCell(std::span<const Cell> cells);

  /// O(log cells) for cells in general position. `guess` is a cell to begin with; a good one saves time.
  PeIndex find(const std::array<float, 3>& point, PeIndex guess) const;

  /// From the centre of this cell to the nearest other one, squared, when all biases are equal; infinite for
  /// a cell alone.
  double squared_distance_to_next(PeIndex cell) const;

 private:
  using Point = std::array<double, 4>;
  static constexpr PeIndex kNone = ~PeIndex{0};
  struct Best {
    double distance;
    PeIndex cell;
    PeIndex left_out = kNone;
  };

  void build(std::size_t first, std::size_t end, int depth);
  void search(std::size_t first, std::size_t end, int depth, const Point& point, Best& best) const;
  double squared_distance(PeIndex cell, const Point& point) const;

  std::vector<Point> points_;   // by cell
  std::vector<PeIndex> order_;  // the tree: the middle of a range splits it
};

}  // namespace skein::lb
