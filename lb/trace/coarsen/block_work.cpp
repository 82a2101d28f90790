// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "skein/lb/coarsen.hpp"

namespace skein::trace {
namespace {

// So many intervals on either side have a rank's work in common: it changes slowly, and what disturbed the
// recording does not.
constexpr std::size_t kNearby = 10;
// What is left is not extrapolated further than this.
constexpr double kLeastPart = 0.05, kMostPart = 2;

// What the ranks of a recording do between two sync points that make one coarse rank.
struct Block {
  double work_ns = 0, bytes = 0;
  double crossing = 0;  // of the bytes: to other coarse ranks
  double ranks = 0;
  double intervals = 1;  // that were added up

  Block& operator+=(const Block& other) {
    work_ns += other.work_ns;
    bytes += other.bytes;
    crossing += other.crossing;
    ranks += other.ranks;
    intervals += other.intervals;
    return *this;
  }
};
using Blocks = std::vector<std::vector<Block>>;  // by coarse rank and interval

Blocks blocks_of(const Trace& trace, const CoarseMap& map) {
  Blocks blocks(map.count);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    const ObjectIndex coarse = map.coarse_of[object];
    std::vector<Block>& mine = blocks[coarse];
    std::size_t interval = 0;
    const auto here = [&]() -> Block& {
      if (interval >= mine.size()) mine.resize(interval + 1);
      return mine[interval];
    };
    here().ranks += 1;
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      here().work_ns += static_cast<double>(event->burst_ns);
      if (event->kind == EventKind::send && event->partner >= 0 &&
          static_cast<ObjectIndex>(event->partner) != object) {
        here().bytes += static_cast<double>(event->bytes);
        if (map.coarse_of[static_cast<ObjectIndex>(event->partner)] != coarse)
          here().crossing += static_cast<double>(event->bytes);
      }
      if (event->kind != EventKind::sync) continue;
      ++interval;
      here().ranks += 1;
    }
  }
  return blocks;
}

// What comes before the first sync point, and behind the last, is unlike all else.
Block nearby(const std::vector<Block>& blocks, std::size_t interval) {
  const std::size_t last = blocks.size() - 1;
  if (interval == 0 || interval == last) return blocks[interval];
  const std::size_t first = interval > kNearby ? interval - kNearby : 1;
  Block sum = blocks[first];
  for (std::size_t i = first + 1; i < std::min(last, interval + kNearby + 1); ++i) sum += blocks[i];
  return sum;
}

// What every rank takes: the most with which nobody's bytes take less than nothing. A block at rest, whose
// ranks only call, tells it best.
double taken_by_each(const std::vector<Block>& fine, const std::vector<Block>& other) {
  double each = HUGE_VAL;
  for (std::size_t block = 0; block < fine.size(); ++block)
    if (const double ranks = fine[block].ranks - other[block].ranks; ranks > 0)
      each = std::min(each, (fine[block].work_ns - other[block].work_ns) / ranks);
  return each < HUGE_VAL ? std::max(0.0, each) : 0;
}

double part_left(const Block& many, const Block& few, double each) {
  if (many.work_ns <= 0) return 1;
  const double bytes = many.bytes - few.bytes, work = many.work_ns - each * many.ranks;
  double of_byte = bytes > 0 ? (many.work_ns - few.work_ns - each * (many.ranks - few.ranks)) / bytes : 0;
  double inside = work - of_byte * many.bytes;
  if (inside < 0) {
    inside = 0;
    of_byte = many.bytes > 0 ? std::max(0.0, work / many.bytes) : 0;
  }
  const double left = inside + of_byte * many.crossing + each * many.intervals;
  return std::clamp(left / many.work_ns, kLeastPart, kMostPart);
}

std::size_t most_intervals(const Blocks& blocks) {
  return std::ranges::max(blocks, {}, &std::vector<Block>::size).size();
}

}  // namespace

WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other, const CoarseMap& other_map) {
  const double all = work_left(fine, map, other).all;  // checks that they can be compared
  Blocks many = blocks_of(fine, map), few = blocks_of(other, other_map);
  const std::size_t intervals = most_intervals(many);
  for (std::size_t coarse = 0; coarse < map.count; ++coarse) {
    many[coarse].resize(intervals);
    few[coarse].resize(intervals);
  }
  WorkLeft left{.all = all, .parts = std::vector<std::vector<double>>(map.count)};
  for (std::size_t interval = 0; interval < intervals; ++interval) {
    std::vector<Block> here, there;
    for (std::size_t coarse = 0; coarse < map.count; ++coarse) {
      here.push_back(nearby(many[coarse], interval));
      there.push_back(nearby(few[coarse], interval));
    }
    const double each = taken_by_each(here, there);
    for (std::size_t coarse = 0; coarse < map.count; ++coarse)
      left.parts[coarse].push_back(part_left(here[coarse], there[coarse], each));
  }
  return left;
}

}  // namespace skein::trace
