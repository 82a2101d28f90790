// SPDX-License-Identifier: Apache-2.0
// Where an object costs least when it counts how far from its partners that is, on a machine that is a tree.
//
// All PEs below a vertex that has no partner below it are equally far from all partners, so of these the one
// that finishes first is best, and a search goes down only along the ways to partners: O(partners x depth x
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

/// The least of a range of keys that change one by one: a segment tree.
class RangeMin {
 public:
  /// All keys are infinite at first.
  explicit RangeMin(std::size_t size)
      : leaves_(std::bit_ceil(size)), least_(2 * leaves_, std::numeric_limits<double>::infinity()) {}

  /// O(log size).
  void set(std::size_t index, double key) {
    std::size_t node = leaves_ + index;
    least_[node] = key;
    while (node /= 2) least_[node] = std::min(least_[2 * node], least_[2 * node + 1]);
  }

  /// The first index in [begin, end), which is not empty, of the least key, and that key. O(log size).
  std::pair<std::size_t, double> least(std::size_t begin, std::size_t end) const {
    // From the left come nodes whose ranges rise, from the right such that fall.
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
  std::vector<double> least_;  // of the leaves below each node; node 1 is the root
};

class NearestPe {
 public:
  /// `finish`: of each PE.
  NearestPe(const Machine& machine, const Pes& pes, std::span<const double> finish);

  void set_finish(PeIndex pe, double finish);
  double finish(PeIndex pe) const { return finish_[pe]; }

  struct Partner {
    PeIndex pe;
    double weight;
  };
  /// The PE of the least
  ///     finish + load / speed + sum over partners at other vertices of weight x latency to them
  ///                           - sum over partners at its own vertex of weight x latency there.
  /// Reorders the partners. With more than 16 different speeds near the least.
  PeIndex best(double load, std::span<Partner> partners);

 private:
  /// The PEs below a vertex are the places [begin, end), those at the vertex itself the first of them, to
  /// `own`.
  struct Below {
    std::size_t begin = 0, own = 0, end = 0;
  };

  void lay_out(std::uint32_t vertex);
  /// `outside`: what the partners that are not below the vertex add.
  void search(std::uint32_t vertex, std::span<const Partner> below, double outside);
  void search_children(std::uint32_t vertex, std::span<const Partner> below, double outside, double here);
  void consider(std::size_t begin, std::size_t end, double talk);
  std::size_t place(const Partner& partner) const { return place_of_[partner.pe]; }

  const Machine& machine_;
  std::vector<double> finish_;
  std::vector<double> seconds_per_load_;              // 1 / speed
  std::vector<std::vector<std::uint32_t>> children_;  // of each vertex
  std::vector<std::vector<PeIndex>> at_;              // PEs at each vertex
  std::vector<Below> below_;
  std::vector<std::size_t> place_of_;  // by PE
  std::vector<PeIndex> pe_at_;         // by place
  std::vector<std::uint32_t> group_;   // by PE: of those of its speed
  std::vector<RangeMin> finish_in_;    // by group

  /// The state of the present search.
  double load_ = 0, least_ = 0;
  PeIndex best_ = 0;
};

}  // namespace skein::lb
