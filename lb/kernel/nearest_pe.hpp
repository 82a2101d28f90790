// SPDX-License-Identifier: Apache-2.0
// Finds the PE where an object costs least, distances to its partners included, on a tree-shaped machine.
//
// All PEs below a vertex without a partner below it are equally far from all partners, so the one of them
// that finishes first is best, and a search only descends along the paths to partners: O(partners x depth x
// log PEs) for an object, not O(PEs).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "lb/kernel/machine.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Finds the least of a range of keys that change one by one: a segment tree.
class RangeMin {
 public:
  /// Makes `size` keys, all infinite.
  explicit RangeMin(std::size_t size)
      : leaves_(std::bit_ceil(size)), least_(2 * leaves_, std::numeric_limits<double>::infinity()) {}

  /// Sets a key. O(log size).
  void set(std::size_t index, double key) {
    std::size_t node = leaves_ + index;
    least_[node] = key;
    while (node /= 2) least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
  }

  /// Returns the first index of the least key in [begin, end), which is not empty, and that key. O(log size).
  std::pair<std::size_t, double> least(std::size_t begin, std::size_t end) const {
    // Nodes from the left have rising ranges, nodes from the right falling ones.
    std::size_t best = 0;
    double key = std::numeric_limits<double>::infinity();
    std::size_t right_best = 0;
    double right_key = key;
    for (std::size_t l = leaves_ + begin, r = leaves_ + end; l < r; l /= 2, r /= 2) {
      if (l & 1) {
        if (least_[l] < key) key = least_[best = l];
        ++l;
      }
      if (r & 1) {
        --r;
        if (least_[r] <= right_key) right_key = least_[right_best = r];
      }
    }
    if (right_key < key) {
      key = right_key;
      best = right_best;
    }
    if (best == 0) return {begin, key};
    while (best < leaves_) {
      best *= 2;
      if (least_[best] > key) ++best;
    }
    return {best - leaves_, key};
  }

 private:
  std::size_t leaves_;
  std::vector<double> least_;  // by node, the least key below it; node 1 is the root
};

class NearestPe {
 public:
  /// `finish`: by PE.
  NearestPe(const Machine& machine, const Pes& pes, std::span<const double> finish);

  void set_finish(PeIndex pe, double finish);
  double finish(PeIndex pe) const { return finish_[pe]; }

  struct Partner {
    PeIndex pe;
    double weight;
  };
  /// Returns the PE of the least
  ///     finish + load / speed + sum over partners at other vertices of weight x latency to them
  ///                           - sum over partners at its own vertex of weight x latency there,
  /// or, with more than 16 different speeds, a PE near the least. Reorders the partners.
  PeIndex best(double load, std::span<Partner> partners);

 private:
  /// The PEs below a vertex have the places [begin, end); those at the vertex itself come first, up to `own`.
  struct Below {
    std::size_t begin = 0, own = 0, end = 0;
  };

  void lay_out(std::uint32_t vertex);
  /// `outside`: the cost of partners that are not below the vertex.
  void search(std::uint32_t vertex, std::span<const Partner> below, double outside);
  void search_children(std::uint32_t vertex, std::span<const Partner> below, double outside, double here);
  void consider(std::size_t begin, std::size_t end, double talk);
  std::size_t place(const Partner& partner) const { return place_of_[partner.pe]; }

  const Machine& machine_;
  std::vector<double> finish_;
  std::vector<double> seconds_per_load_;              // 1 / speed
  std::vector<std::vector<std::uint32_t>> children_;  // by vertex
  std::vector<std::vector<PeIndex>> at_;              // by vertex: the PEs at it
  std::vector<Below> below_;
  std::vector<std::size_t> place_of_;  // by PE
  std::vector<PeIndex> pe_at_;         // by place
  std::vector<std::uint32_t> group_;   // by PE: the group of its speed
  std::vector<RangeMin> finish_in_;    // by group

  /// The present search.
  double load_ = 0, least_ = 0;
  PeIndex best_ = 0;
};

}  // namespace skein::lb
