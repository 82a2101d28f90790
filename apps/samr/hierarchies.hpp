// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange.hpp"
#include "parameters.hpp"

namespace samr {

/// A group with the hierarchy on each PE, and the hierarchy before the last adaptation.
class Hierarchies : public skein::Chare<Hierarchies, skein::Index1> {
 public:
  explicit Hierarchies(const Parameters& parameters = {}) : parameters_(parameters) {}

  double load() const { return 0; }  ///< see Director
  const Parameters& parameters() const { return parameters_; }
  const Hierarchy& now() const { return now_; }
  const Hierarchy& before() const { return before_; }

  void take(const Hierarchy& hierarchy, skein::Future<void> everywhere) {
    before_ = std::exchange(now_, hierarchy);
    contribute(skein::to(everywhere));
  }

 private:
  Parameters parameters_;
  Hierarchy now_, before_;
};

}  // namespace samr
