// SPDX-License-Identifier: Apache-2.0
// Tracks the PEs that finish last and first while finish times change; of equal ones the lowest number.
#pragma once
#include <set>
#include <utility>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class PeExtremes {
 public:
  explicit PeExtremes(std::vector<double> finish) : finish_(std::move(finish)) {
    for (PeIndex pe = 0; pe < finish_.size(); ++pe) order_.emplace(finish_[pe], pe);
  }

  PeIndex first() const { return order_.begin()->second; }
  PeIndex last() const { return order_.lower_bound({order_.rbegin()->first, 0})->second; }
  double operator[](PeIndex pe) const { return finish_[pe]; }
  /// Returns finish times with their PEs, rising.
  const std::set<std::pair<double, PeIndex>>& rising() const { return order_; }

  /// Sets a finish time. O(log PEs).
  void set(PeIndex pe, double finish) {
    order_.erase({finish_[pe], pe});
    finish_[pe] = finish;
    order_.emplace(finish, pe);
  }

 private:
  std::vector<double> finish_;
  std::set<std::pair<double, PeIndex>> order_;
};

}  // namespace skein::lb
