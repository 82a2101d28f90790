// SPDX-License-Identifier: Apache-2.0
// Finds which of many weighted centres a point belongs to: a power diagram (Voronoi cells whose borders the
// weights move).
#pragma once
#include <array>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Finds the cell with the least |x - centre|^2 - bias, of equal ones the lowest number. With the greatest
/// bias B, that value is the squared distance of (x, 0) from (centre, sqrt(B - bias)), less B: so a k-d tree
/// finds the nearest neighbour in four dimensions.
class NearestCell {
 public:
  /// Builds the tree. O(cells log^2 cells).
  explicit NearestCell(std::span<const Cell> cells);

  /// Returns the cell of `point`. O(log cells) for cells in general position; a good `guess` saves time.
  PeIndex find(const std::array<float, 3>& point, PeIndex guess) const;

  /// Returns the squared distance from the centre of this cell to the nearest other one, if all biases are
  /// equal; infinite for a single cell.
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
  std::vector<PeIndex> order_;  // the tree as ranges: the middle of each splits it
};

}  // namespace skein::lb
