// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "skein/lb/coarsen.hpp"

namespace skein::trace {
namespace {

/// The number of intervals on either side over which a rank's work is averaged: work changes slowly,
/// disturbances do not.
constexpr std::size_t kNearby = 10;
/// The largest factor by which the remaining work is extrapolated.
constexpr double kMostPart = 2;

/// The work, between two sync points, of the ranks that make one coarse rank.
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

/// Sums nearby intervals. The parts before the first sync point and behind the last are unlike all others.
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

/// Smaller relative differences of bytes tell nothing about borders.
constexpr double kLeastDifference = 0.01;

struct RunTotals {
  double work_ns = 0;
  double bytes = 0;     // that ranks send each other
  double crossing = 0;  // between coarse ranks
};

RunTotals sum_up(const Trace& trace, const CoarseMap* map) {
  RunTotals run;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      run.work_ns += static_cast<double>(event->burst_ns);
      if (event->kind != EventKind::send || event->partner < 0) continue;
      const auto to = static_cast<ObjectIndex>(event->partner);
      if (to == object) continue;
      run.bytes += static_cast<double>(event->bytes);
      if (map && map->coarse_of[to] != map->coarse_of[object])
        run.crossing += static_cast<double>(event->bytes);
    }
  }
  return run;
}

std::uint64_t syncs_of_first(const Trace& trace) {
  std::uint64_t syncs = 0;
  if (trace.object_count() == 0) return 0;
  Cursor cursor = trace.events(0);
  while (const Event* const event = cursor.next()) syncs += event->kind == EventKind::sync;
  return syncs;
}

[[noreturn]] void cannot_compare(const std::string& because) {
  throw TraceError("it cannot be compared with the trace of another decomposition: " + because);
}

/// Throws TraceError unless both are of MPI programs, with as many sync points, and the map is for `fine`.
void check_comparable(const Trace& fine, const CoarseMap& map, const Trace& other) {
  if (fine.header().native || other.header().native)
    cannot_compare("native programs have no ranks to be joined");
  if (map.coarse_of.size() != fine.object_count())
    cannot_compare("the map is for " + std::to_string(map.coarse_of.size()) + " ranks, and the trace has " +
                   std::to_string(fine.object_count()));
  const std::uint64_t here = syncs_of_first(fine), there = syncs_of_first(other);
  if (here != there)
    cannot_compare("they have " + std::to_string(here) + " and " + std::to_string(there) +
                   " sync points; record the same run with another number of ranks");
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

WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other) {
  check_comparable(fine, map, other);
  const RunTotals here = sum_up(fine, &map), there = sum_up(other, nullptr);
  if (std::abs(here.bytes - there.bytes) <= kLeastDifference * here.bytes)
    cannot_compare(
        "in both ranks send each other as many bytes; record it with another number of ranks, best between "
        "the fine and the coarse one");
  const double of_byte = (here.work_ns - there.work_ns) / (here.bytes - there.bytes);
  WorkLeft shared = work_left(fine, map);
  if (of_byte <= 0) return shared;
  const double left = here.work_ns - of_byte * (here.bytes - here.crossing);
  if (left <= 0)
    cannot_compare(
        "by what its ranks do more than theirs, coarse ones would have no work at all, so the two differ in "
        "more than borders");
  shared.all = left / here.work_ns;
  for (std::vector<double>& parts : shared.parts)
    for (double& part : parts) part *= shared.all;
  return shared;
}

WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other, const CoarseMap& other_map) {
  check_comparable(fine, map, other);
  if (other.object_count() >= fine.object_count())
    cannot_compare("it has " + std::to_string(fine.object_count()) + " ranks, and the other " +
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
