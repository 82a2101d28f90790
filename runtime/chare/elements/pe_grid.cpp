// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/pe_grid.hpp"

#include <cmath>

namespace skein::chare {
namespace {

constexpr int kMostDirect = 64;  // buffers of a PE for one method and array

int chosen(int pes) { return pes <= kMostDirect ? 1 : pes <= kMostDirect * kMostDirect ? 2 : 3; }

int to_power(int side, int dimensions) {
  int cells = 1;
  for (int i = 0; i < dimensions; ++i) cells *= side;
  return cells;
}

}  // namespace

PeGrid::PeGrid(int pes, int dimensions) : pes_(pes), dimensions_(dimensions == 0 ? chosen(pes) : dimensions) {
  side_ = static_cast<int>(std::pow(pes_, 1.0 / dimensions_));
  while (to_power(side_, dimensions_) < pes_) ++side_;
}

/// One of the candidate PEs exists. If the highest coordinate that differs is lower in `to`, the PE with it
/// changed has a lower number than `from`. Otherwise all PEs with the upper coordinates of `from` exist, as
/// higher ones do: so does the PE with a lower coordinate changed, or, if no other differs, `to` itself.
int PeGrid::next_hop(int from, int to) const {
  for (int i = 0, step = 1; i < dimensions_; ++i, step *= side_) {
    const int difference = to / step % side_ - from / step % side_;
    const int next = from + difference * step;
    if (difference != 0 && next < pes_) return next;
  }
  return to;
}

std::vector<int> PeGrid::next_hops(int from) const {
  std::vector<int> hops(static_cast<std::size_t>(pes_));
  for (int to = 0; to < pes_; ++to) hops[static_cast<std::size_t>(to)] = next_hop(from, to);
  return hops;
}

}  // namespace skein::chare
