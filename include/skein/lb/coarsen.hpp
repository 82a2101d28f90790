// SPDX-License-Identifier: Apache-2.0
// From the trace of a fine decomposition that of a coarser one: what the same program would have done with
// fewer ranks, of which each has the work of several.
//
// Processor time adds up, and so do what counters counted and the memory in use at sync points. What a rank
// did in a region its coarse rank does in it: visits that members of a block make alike become one, and those
// of others come in turns. Where a coarse rank was, is known if all of its ranks were on one PE. Messages
// inside a coarse rank vanish. Those that cross, between the same two coarse ranks and the same two points of
// what must come after what, become one with the bytes of all. Of a collective each coarse rank makes one,
// with the bytes that its part would have; nonblocking ones become blocking. Recorded LB steps are left out.
//
// What must come after what is L. Lamport's clock ("Time, clocks, and the ordering of events in a distributed
// system", CACM 1978): a receive is later than its send, a collective and a sync point than all that its
// members did before. Streams are merged by it, so the result waits for nothing that waits for it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

struct CoarseMap {
  std::vector<ObjectIndex> coarse_of;  // by rank; all below `count`, each of which is used
  std::size_t count = 0;
  /// By rank, of map_cells(): the coarse ranks that have its cells, with how much of them; 1 in all. Empty:
  /// all of each is its coarse rank's.
  std::vector<std::vector<std::pair<ObjectIndex, double>>> shares = {};
};

/// Blocks of a Cartesian grid of ranks, both row-major: the last coordinate runs fastest, as in MPI. Throws
/// TraceError where `fine` has not `objects` ranks or does not divide by `coarse`: then it says what would.
CoarseMap map_grid(std::span<const std::uint32_t> fine, std::span<const std::uint32_t> coarse,
                   std::size_t objects);
/// Coarsens the trace of a program that cuts so many cells in each dimension as evenly as can be, the first
/// ranks having one cell more. Where they do not divide, a coarse run's ranks do not have quite the cells of
/// the blocks: 140 cells are 9, 9, ... 8 of 16 ranks, of which four make 36, 36, 36 and 32, and 35 each of 4.
/// Who sends what to whom is that of the blocks still. Without cells it is map_grid().
CoarseMap map_cells(std::span<const std::uint32_t> fine, std::span<const std::uint32_t> coarse,
                    std::span<const std::uint32_t> cells, std::size_t objects);
/// A text with the fine and the coarse rank on each line; what follows a # is a remark. Throws TraceError.
CoarseMap read_map(const std::string& path, std::size_t objects);
CoarseMap parse_map(const std::string& text, const std::string& called, std::size_t objects);

/// The part of the ranks' work that is left when they are joined. What a rank does at its borders (halo
/// cells, packing), and for each call however little it moves, is done less often by fewer ranks, and no
/// trace says of itself how much that is. Two do, of the same run with different numbers of ranks.
struct WorkLeft {
  double all = 1;
  /// By coarse rank and interval (of its burst behind so many sync points); empty: `all` everywhere.
  std::vector<std::vector<double>> parts = {};

  double of(ObjectIndex coarse, std::uint64_t interval) const {
    if (parts.empty()) return all;
    const std::vector<double>& mine = parts[coarse];
    return mine[interval < mine.size() ? interval : mine.size() - 1];
  }
};

/// By the map's shares alone: nothing is done less often.
WorkLeft work_left(const Trace& fine, const CoarseMap& map);

/// The factor for all work together, taken to be a + b times the bytes that ranks send each other; both
/// traces give a and b. 1 where more borders took no more work. Throws TraceError where the two cannot be
/// compared.
WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other);

/// The factor for each coarse rank and interval, where it is known which of the other trace's ranks have its
/// work between them. The work of r ranks is taken to be a + r c, of each coarse rank in the intervals
/// nearby, with nothing below 0: a rank at rest has another c than one that works. What is left is counted
/// from the other trace, which is nearer. What comes before the first sync point or behind the last is by
/// itself.
///
/// What grows with the length of borders falls more slowly with fewer ranks than r, and caches do the
/// opposite of both. Two traces tell one of them; r extrapolates least. Throws TraceError where the two
/// cannot be compared.
WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other, const CoarseMap& other_map);

/// The grid of so many ranks, among those that divide by `coarse`, that lies between the two most evenly in
/// all dimensions. Empty: there is none.
std::vector<std::uint32_t> grid_between(std::span<const std::uint32_t> fine,
                                        std::span<const std::uint32_t> coarse, std::size_t ranks);

/// Throws TraceError for a native program's trace, and for one that cannot be replayed.
Trace coarsen(const Trace& trace, const CoarseMap& map, const WorkLeft& work = {});

}  // namespace skein::trace
