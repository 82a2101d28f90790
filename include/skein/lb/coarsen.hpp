// SPDX-License-Identifier: Apache-2.0
// Makes the trace of a coarser decomposition from that of a finer one: what the same program would have done
// with fewer ranks, each of which has the work of several.
//
// Processor time adds up, and so do counters and the memory in use at sync points. A coarse rank visits the
// regions that its ranks visited: visits that all members of a block make alike become one, others follow
// each other. The PE of a coarse rank is known if all of its ranks were on one PE. Messages inside a coarse
// rank vanish. Messages between the same two coarse ranks and the same two points of the required order
// become one with the bytes of all. Each coarse rank makes a collective once, with the bytes of its part;
// nonblocking collectives become blocking. Recorded LB steps are left out.
//
// The required order is that of L. Lamport's clock ("Time, clocks, and the ordering of events in a
// distributed system", CACM 1978): a receive is later than its send, a collective and a sync point later than
// everything that its members did before. Streams are merged by this order, so no waits are circular.
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
  /// By rank, from map_cells(): the coarse ranks that get its cells, with their fractions, which add up to 1.
  /// Empty: each rank belongs wholly to its coarse rank.
  std::vector<std::vector<std::pair<ObjectIndex, double>>> shares = {};
};

/// Maps blocks of a Cartesian grid of ranks, both row-major: the last coordinate runs fastest, as in MPI.
/// Throws TraceError if `fine` does not have `objects` ranks or `coarse` does not divide it; the text says
/// what would.
CoarseMap map_grid(std::span<const std::uint32_t> fine, std::span<const std::uint32_t> coarse,
                   std::size_t objects);
/// Maps the ranks of a program that divides `cells` cells of each dimension as evenly as possible, the first
/// ranks having one cell more. If the cells do not divide, ranks of a coarse run have slightly other cells
/// than the blocks: 16 ranks have 9, 9, ... 8 of 140 cells, four of them together 36, 36, 36 and 32, and each
/// of 4 ranks 35. Messages still follow the blocks. Without cells it is map_grid().
CoarseMap map_cells(std::span<const std::uint32_t> fine, std::span<const std::uint32_t> coarse,
                    std::span<const std::uint32_t> cells, std::size_t objects);
/// Reads a file with the fine and the coarse rank on each line; # begins a comment. Throws TraceError.
CoarseMap read_map(const std::string& path, std::size_t objects);
CoarseMap parse_map(const std::string& text, const std::string& called, std::size_t objects);

/// The fraction of the ranks' work that is left when they are joined. Work at a rank's borders (halo cells,
/// packing), and work for each call whatever it transfers, is done less often by fewer ranks. One trace does
/// not tell how much that is; two traces of the same run with different numbers of ranks do.
struct WorkLeft {
  double all = 1;
  /// By coarse rank and interval (the sync points passed before the burst); empty: `all` everywhere.
  std::vector<std::vector<double>> parts = {};

  double of(ObjectIndex coarse, std::uint64_t interval) const {
    if (parts.empty()) return all;
    const std::vector<double>& mine = parts[coarse];
    return mine[interval < mine.size() ? interval : mine.size() - 1];
  }
};

/// Returns the work left by the map's shares alone: nothing is done less often.
WorkLeft work_left(const Trace& fine, const CoarseMap& map);

/// Returns one factor for all work, modelled as a + b times the bytes that ranks send each other; the two
/// traces determine a and b. The factor is 1 if more borders took no more work. Throws TraceError if the two
/// cannot be compared.
WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other);

/// Returns a factor for each coarse rank and interval, if it is known which of the other trace's ranks share
/// its work. The work of r ranks is modelled as a + r c, for each coarse rank in nearby intervals, with
/// neither below 0: a rank at rest has another c than one that works. The factor extrapolates from the other
/// trace, which is nearer. The parts before the first sync point and behind the last are fitted by
/// themselves.
///
/// Work that grows with the length of borders falls more slowly with fewer ranks than r does, and cache
/// effects do the opposite. Two traces determine one such term; r extrapolates least. Throws TraceError if
/// the two cannot be compared.
WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other, const CoarseMap& other_map);

/// Returns the grid of `ranks` ranks that is divisible by `coarse` and lies most evenly between the two grids
/// in all dimensions. Empty if there is none.
std::vector<std::uint32_t> grid_between(std::span<const std::uint32_t> fine,
                                        std::span<const std::uint32_t> coarse, std::size_t ranks);

/// Returns the trace of the coarser decomposition. Throws TraceError for a native program's trace and for one
/// that cannot be replayed.
Trace coarsen(const Trace& trace, const CoarseMap& map, const WorkLeft& work = {});

}  // namespace skein::trace
