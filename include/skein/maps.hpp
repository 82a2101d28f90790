// SPDX-License-Identifier: Apache-2.0
// Maps: they give the PE where an element of an array is at first, which is also its home. They are functions
// of index, bounds and number of PEs, which every PE computes for itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "skein/chare/array_base.hpp"

namespace skein {

/// Places blocks of neighbours in the order of the last coordinate, the larger blocks first.
struct BlockMap {
  template <class I>
  int operator()(const I& index, const I& bounds, int pes) const {
    const auto [place, size] = linear(index, bounds);
    return size == 0 ? 0 : static_cast<int>(place * pes / size);
  }
  /// Returns the places, of `size` in all, whose home is PE `pe`: from the first up to the second.
  static std::pair<std::int64_t, std::int64_t> block(std::int64_t size, int pe, int pes) {
    const auto first_of = [&](std::int64_t which) { return std::min((which * size + pes - 1) / pes, size); };
    return {first_of(pe), first_of(pe + 1)};
  }
  template <class I>
  static std::pair<std::int64_t, std::int64_t> linear(const I& index, const I& bounds) {
    std::int64_t place = 0, size = 1;
    for (int i = 0; i < I::dimensions; ++i) {
      place = place * bounds[i] + index[i];
      size *= bounds[i];
    }
    return {place, size};
  }
};
struct RoundRobinMap {
  template <class I>
  int operator()(const I& index, const I& bounds, int pes) const {
    return static_cast<int>(BlockMap::linear(index, bounds).first % pes);
  }
};
/// Places the elements of node groups: index n is on the first PE of node n.
struct NodeMap {
  int operator()(const Index1& index, const Index1&, int) const { return first_pe_of_node(index[0]); }
};
/// Places the elements of arrays without bounds.
struct HashMap {
  template <class I>
  int operator()(const I& index, const I&, int pes) const {
    return static_cast<int>(hash_of(index) % static_cast<std::uint64_t>(pes));
  }
};

namespace chare {
/// Adapts a program's own map for arrays without bounds.
template <class Map>
struct WithoutBounds {
  template <class I>
  int operator()(const I& index, const I&, int pes) const {
    return Map{}(index, pes);
  }
};
}  // namespace chare

}  // namespace skein
