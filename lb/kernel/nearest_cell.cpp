// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/nearest_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace skein::lb {

NearestCell::NearestCell(std::span<const Cell> cells) : order_(cells.size()) {
  double greatest = cells[0].bias;
  for (const Cell& cell : cells) greatest = std::max(greatest, cell.bias);
  for (const Cell& cell : cells) {
    points_.push_back({cell.centre[0], cell.centre[1], cell.centre[2], std::sqrt(greatest - cell.bias)});
  }
  std::iota(order_.begin(), order_.end(), PeIndex{0});
  build(0, order_.size(), 0);
}

void NearestCell::build(std::size_t first, std::size_t end, int depth) {
  if (end - first <= 1) return;
  const std::size_t middle = first + (end - first) / 2;
  const auto axis = static_cast<std::size_t>(depth % 4);
  const auto begin = order_.begin();
  std::nth_element(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle),
                   begin + static_cast<std::ptrdiff_t>(end), [&](PeIndex a, PeIndex b) {
                     const double x = points_[a][axis], y = points_[b][axis];
                     return x != y ? x < y : a < b;
                   });
  build(first, middle, depth + 1);
  build(middle + 1, end, depth + 1);
}

double NearestCell::squared_distance(PeIndex cell, const Point& point) const {
  double sum = 0;
  for (std::size_t d = 0; d < 4; ++d) sum += (points_[cell][d] - point[d]) * (points_[cell][d] - point[d]);
  return sum;
}

void NearestCell::search(std::size_t first, std::size_t end, int depth, const Point& point,
                         Best& best) const {
  if (first == end) return;
  const std::size_t middle = first + (end - first) / 2;
  const PeIndex cell = order_[middle];
  const double distance = squared_distance(cell, point);
  if (distance < best.distance || (distance == best.distance && cell < best.cell)) {
    if (cell != best.left_out) best = {distance, cell, best.left_out};
  }
  const auto axis = static_cast<std::size_t>(depth % 4);
  const double beyond = point[axis] - points_[cell][axis];
  const auto left = [&] { search(first, middle, depth + 1, point, best); };
  const auto right = [&] { search(middle + 1, end, depth + 1, point, best); };
  beyond < 0 ? left() : right();
  if (beyond * beyond <= best.distance) beyond < 0 ? right() : left();
}

PeIndex NearestCell::find(const std::array<float, 3>& point, PeIndex guess) const {
  const Point at{point[0], point[1], point[2], 0};
  Best best{squared_distance(guess, at), guess};
  search(0, order_.size(), 0, at, best);
  return best.cell;
}

double NearestCell::squared_distance_to_next(PeIndex cell) const {
  Best best{std::numeric_limits<double>::infinity(), kNone, cell};
  search(0, order_.size(), 0, points_[cell], best);
  return best.distance;
}

}  // namespace skein::lb
