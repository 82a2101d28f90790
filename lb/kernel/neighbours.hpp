// SPDX-License-Identifier: Apache-2.0
// The partners of objects, in either direction.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// The communication graph without directions: each edge is in the rows of both its ends (twice if messages
/// go both ways); edges of an object to itself are left out. Empty without a graph.
class Neighbours {
 public:
  struct Link {
    ObjectIndex object;
    float bytes;
  };

  explicit Neighbours(const Snapshot& snapshot);

  std::span<const Link> of(ObjectIndex object) const {
    return std::span(links_).subspan(first_[object], first_[object + 1] - first_[object]);
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<Link> links_;
};

/// Sums of bytes by PE, for one object at a time. clear() takes time proportional to what was added.
class PeTraffic {
 public:
  explicit PeTraffic(std::size_t pe_count) : bytes_(pe_count, 0) {}

  void add(PeIndex pe, double bytes) {
    if (bytes_[pe] == 0) touched_.push_back(pe);
    bytes_[pe] += bytes;
  }
  double operator[](PeIndex pe) const { return bytes_[pe]; }
  std::span<const PeIndex> touched() const { return touched_; }
  void clear() {
    for (PeIndex pe : touched_) bytes_[pe] = 0;
    touched_.clear();
  }

 private:
  std::vector<double> bytes_;
  std::vector<PeIndex> touched_;
};

}  // namespace skein::lb
