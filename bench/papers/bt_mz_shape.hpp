// SPDX-License-Identifier: Apache-2.0
// The shape of BT-MZ of the NAS Parallel Benchmarks 3.3 (R. F. Van der Wijngaart, H. Jin, NAS-03-010) with a
// rank for each zone, by its formulas: zones, their ranks, the ranks with which a rank exchanges faces, and
// its work.
//
// Widths of columns and heights of rows of zones are geometric progressions whose last member is 4.5 times
// the first, so the largest zone has some 20 times the points of the smallest. Zones go to ranks in order of
// size, the largest to rank 0, as the benchmark packs them; ranks in blocks are then as uneven as can be.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bt_mz {

struct Class {
  char name;
  std::size_t columns, rows;  // of zones
  std::size_t x, y, z;        // points of all
};
inline constexpr Class kClasses[] = {{'S', 2, 2, 24, 24, 6},       {'W', 4, 4, 64, 64, 8},
                                     {'A', 4, 4, 128, 128, 16},    {'B', 8, 8, 304, 208, 17},
                                     {'C', 16, 16, 480, 320, 28},  {'D', 32, 32, 1632, 1216, 34},
                                     {'E', 64, 64, 4224, 3456, 92}};

inline const Class& class_of(const std::string& name) {
  std::string known;
  for (const Class& one : kClasses) {
    if (name.size() == 1 && name[0] == one.name) return one;
    if (!known.empty()) known += ", ";
    known += one.name;
  }
  throw std::runtime_error("class '" + name + "' is none of BT-MZ: classes are " + known);
}

struct Zone {
  std::size_t x = 0, y = 0, z = 0;
  std::size_t points() const { return x * y * z; }
  // Returns the operations of a step, as the benchmark counts them.
  double operations() const {
    const auto nx = static_cast<double>(x), ny = static_cast<double>(y), nz = static_cast<double>(z);
    return 3478.8 * nx * ny * nz - 17655.7 * (nx * ny + nx * nz + ny * nz) / 3 + 28023.7 * (nx + ny + nz) / 3;
  }
  // Returns the memory of a rank: 21 numbers a point, rows of x padded to an odd length, and the memory of
  // any program.
  std::size_t held_bytes() const { return 21 * sizeof(double) * (x + 1 - x % 2) * y * z + 160'000; }
};

// `count` pieces of `all` points, each so many times as long as the one before that the last is 4.5 times the
// first; their ends are rounded up from 0.55 on.
inline std::vector<std::size_t> pieces(std::size_t all, std::size_t count) {
  const double ratio = std::exp(std::log(4.5) / static_cast<double>(count - 1));
  const double smallest = static_cast<double>(all) * (ratio - 1) / (std::pow(ratio, count) - 1);
  std::vector<std::size_t> lengths;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= count; ++i) {
    const auto end = static_cast<std::size_t>(smallest * (std::pow(ratio, i) - 1) / (ratio - 1) + 0.45);
    lengths.push_back(end - begin);
    begin = end;
  }
  return lengths;
}

struct Partner {
  std::size_t rank = 0;
  std::uint64_t bytes = 0;  // each way
};

class Shape {
 public:
  explicit Shape(const Class& of) : of_(of) {
    const auto widths = pieces(of.x, of.columns), heights = pieces(of.y, of.rows);
    for (const std::size_t y : heights)
      for (const std::size_t x : widths) zones_.push_back({x, y, of.z});
    // Sorts by selection, because equal zones are in the order that this leaves.
    for (std::size_t i = 0; i < zones_.size(); ++i) order_.push_back(i);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      std::size_t largest = i;
      for (std::size_t k = i + 1; k < order_.size(); ++k)
        if (zones_[order_[largest]].points() < zones_[order_[k]].points()) largest = k;
      std::swap(order_[i], order_[largest]);
    }
    rank_of_.resize(order_.size());
    for (std::size_t rank = 0; rank < order_.size(); ++rank) rank_of_[order_[rank]] = rank;
  }

  std::size_t ranks() const { return zones_.size(); }
  const Zone& zone(std::size_t rank) const { return zones_[order_[rank]]; }

  // Returns the ranks whose zones touch this one's, on a torus of zones, in the order in which the rank
  // exchanges with them: by rising partner XOR rank. Faces are those of the inner points, five numbers each.
  std::vector<Partner> partners(std::size_t rank) const {
    const std::size_t column = order_[rank] % of_.columns, row = order_[rank] / of_.columns;
    const Zone& own = zone(rank);
    const std::uint64_t across_x = 5 * sizeof(double) * (own.y - 2) * (own.z - 2);
    const std::uint64_t across_y = 5 * sizeof(double) * (own.x - 2) * (own.z - 2);
    std::vector<Partner> found;
    const auto touches = [&](std::size_t c, std::size_t r, std::uint64_t bytes) {
      const std::size_t partner = rank_of_[r % of_.rows * of_.columns + c % of_.columns];
      const auto known = std::ranges::find(found, partner, &Partner::rank);
      if (known != found.end())
        known->bytes += bytes;
      else
        found.push_back({partner, bytes});
    };
    touches(column + of_.columns - 1, row, across_x);
    touches(column + 1, row, across_x);
    touches(column, row + of_.rows - 1, across_y);
    touches(column, row + 1, across_y);
    std::ranges::sort(found, {}, [&](const Partner& one) { return one.rank ^ rank; });
    return found;
  }

 private:
  Class of_;
  std::vector<Zone> zones_;
  std::vector<std::size_t> order_, rank_of_;
};

}  // namespace bt_mz
