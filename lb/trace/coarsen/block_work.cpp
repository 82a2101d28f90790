// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>

#include "lb/trace/coarsen/comparable.hpp"

namespace skein::trace {
namespace {

/// So many intervals on either side have a rank's work in common: it changes slowly, and what disturbed the
/// recording does not.
constexpr std::size_t kNearby = 10;
/// What is left is not extrapolated further than this.
constexpr double kMostPart = 2;

/// What the ranks of a recording do between two sync points that make one coarse rank.
struct Block {
  double joined_ns = 0;           // of the ranks that coarsen() joins to it
  double work_ns = 0, ranks = 0;  // by shares
  double intervals = 1;           // that were added up

  Block& operator+=(const Block& other) {
    joined_ns += other.joined_ns;
    work_ns += other.work_ns;
    ranks += other.ranks;
    intervals += other.intervals;
    return *this;
  }
};
using Blocks = std::vector<std::vector<Block>>;  // by coarse rank and interval

std::vector<double> loads_of(const Trace& trace, ObjectIndex object) {
  std::vector<double> loads(1);
  Cursor cursor = trace.events(object);
  while (const Event* const event = cursor.next()) {
    loads.back() += static_cast<double>(event->burst_ns);
    if (event->kind == EventKind::sync) loads.push_back(0);
  }
  return loads;
}

Blocks blocks_of(const Trace& trace, const CoarseMap& map) {
  Blocks blocks(map.count);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    const std::vector<double> loads = loads_of(trace, object);
    const auto add = [&](ObjectIndex coarse, double share, bool is_joined) {
      std::vector<Block>& mine = blocks[coarse];
      if (mine.size() < loads.size()) mine.resize(loads.size());
      for (std::size_t interval = 0; interval < loads.size(); ++interval) {
        Block& block = mine[interval];
        block.work_ns += share * loads[interval];
        block.ranks += share;
        if (is_joined) block.joined_ns += loads[interval];
      }
    };
    if (map.shares.empty()) {
      add(map.coarse_of[object], 1, true);
      continue;
    }
    add(map.coarse_of[object], 0, true);
    for (const auto& [coarse, share] : map.shares[object]) add(coarse, share, false);
  }
  std::size_t intervals = 1;
  for (const std::vector<Block>& one : blocks) intervals = std::max(intervals, one.size());
  for (std::vector<Block>& one : blocks) one.resize(intervals);
  return blocks;
}

/// What comes before the first sync point, and behind the last, is unlike all else.
Block nearby(const std::vector<Block>& blocks, std::size_t interval) {
  const std::size_t last = blocks.size() - 1;
  if (interval == 0 || interval == last) return blocks[interval];
  const std::size_t first = interval > kNearby ? interval - kNearby : 1;
  Block sum = blocks[first];
  for (std::size_t i = first + 1; i < std::min(last, interval + kNearby + 1); ++i) sum += blocks[i];
  return sum;
}

double part_of(double left_ns, const Block& fine) {
  return fine.joined_ns > 0 ? std::min(left_ns / fine.joined_ns, kMostPart) : 1;
}

double work_of_one(const Block& many, const Block& few) {
  if (few.ranks <= 0) return many.work_ns;
  const double ranks = many.ranks - few.ranks;
  const double each =
      ranks > 0 ? std::clamp((many.work_ns - few.work_ns) / ranks, 0.0, few.work_ns / few.ranks) : 0;
  return few.work_ns - each * (few.ranks - few.intervals);
}

}  // namespace

WorkLeft work_left(const Trace& fine, const CoarseMap& map) {
  if (map.shares.empty()) return {};
  WorkLeft left{.parts = std::vector<std::vector<double>>(map.count)};
  const Blocks blocks = blocks_of(fine, map);
  for (std::size_t coarse = 0; coarse < map.count; ++coarse)
    for (const Block& block : blocks[coarse]) left.parts[coarse].push_back(part_of(block.work_ns, block));
  return left;
}

WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other, const CoarseMap& other_map) {
  coarse::check_comparable(fine, map, other);
  if (other.object_count() >= fine.object_count())
    coarse::cannot_compare("it has " + std::to_string(fine.object_count()) + " ranks, and the other " +
                           std::to_string(other.object_count()) +
                           "; record that with a number between the fine and the coarse one");
  const Blocks many = blocks_of(fine, map);
  Blocks few = blocks_of(other, other_map);
  WorkLeft left{.parts = std::vector<std::vector<double>>(map.count)};
  for (std::size_t coarse = 0; coarse < map.count; ++coarse) {
    few[coarse].resize(many[coarse].size());
    for (std::size_t interval = 0; interval < many[coarse].size(); ++interval) {
      const Block here = nearby(many[coarse], interval), there = nearby(few[coarse], interval);
      left.parts[coarse].push_back(part_of(work_of_one(here, there), here));
    }
  }
  return left;
}

}  // namespace skein::trace
