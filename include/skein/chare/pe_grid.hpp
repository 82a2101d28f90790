// SPDX-License-Identifier: Apache-2.0
// The PEs as a grid, over which aggregated calls go one dimension at a time: a PE then has buffers only for
// PEs that differ from it in one coordinate, and the fewer buffers give longer messages (TRAM; Wesolowski et
// al. 2014, "TRAM: Optimizing Fine-grained Communication with Topological Routing and Aggregation of
// Messages").
#pragma once

#include <vector>

namespace skein::chare {

/// A grid of PEs with equal sides. The PEs fill it in the order of their numbers, so the last rows of each
/// dimension may be missing.
class PeGrid {
 public:
  static constexpr int most_dimensions = 3;

  /// Makes a grid of 1 to 3 `dimensions`; 0: one up to 64 PEs, two up to 64^2, else three.
  PeGrid(int pes, int dimensions);

  int dimensions() const { return dimensions_; }
  /// Returns true if every PE has a buffer for every other.
  bool is_direct() const { return dimensions_ == 1; }
  /// Returns the PE that an item at `from` for `to` goes to next: one more of its coordinates is equal to
  /// that of `to`. So the number of steps is the number of coordinates that differ.
  int next_hop(int from, int to) const;
  /// Returns next_hop() to each PE.
  std::vector<int> next_hops(int from) const;

 private:
  int pes_, dimensions_, side_ = 1;
};

}  // namespace skein::chare
