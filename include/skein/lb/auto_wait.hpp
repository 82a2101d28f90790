// SPDX-License-Identifier: Apache-2.0
// For how many sync points a lazy job goes on without an answer: `--lb-mode lazy:wait=auto`.
//
// What was decided by loads of t' points ago has lost its balance by equation (1) of resources.hpp, so that
// to go on for longer is to wait for what is of no use: t' points behind the asking one all wait. How fast
// balance is lost is what drift.hpp makes of the shares that come in; noise is not in it. Where nothing
// drifts, or as long as nothing is known, nobody waits.
#pragma once

#include "skein/lb/drift.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::lb::lazy {

class AutoWait {
 public:
  /// Balance is lost when the fullest PE takes so many times what it would if all were level.
  static constexpr double tolerance = 1.1;

  /// The snapshot of each point that is decided on, `points` after the last one. Returns K; kNever: nobody
  /// waits.
  Point next(const Snapshot& snapshot, double points);

 private:
  Drift drift_;
};

}  // namespace skein::lb::lazy
