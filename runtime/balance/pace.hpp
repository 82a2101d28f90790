// SPDX-License-Identifier: Apache-2.0
// State that is read whenever an object passes a sync point, or the loop of a PE has come around once: which
// sync points are LB steps, whether this one may be passed, whether something is due.
#pragma once

#include <cstdint>

#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/schedule.hpp"

namespace skein::balance {

struct Pace {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  /// The schedule of steps: the same on all PEs, also those without objects, since all take part in every
  /// step.
  lb::Schedule schedule{};
  std::uint64_t points = 0;     ///< sync points that the foremost object of this PE has passed
  bool lazy = false;            ///< the job balances lazily (lazy/lazy_pe.hpp)
  bool agrees = false;          ///< the job agrees on its steps (agreed_steps.hpp), as far as this PE knows
  bool stops_in_waits = false;  ///< if no sync point comes, there are steps without one
  lb::lazy::Member member;      ///< if the job is lazy or agrees on its steps

  // ---- in ticks()
  std::uint64_t progress_due = never;   ///< on PE 0: when the status line is to be drawn again (progress.hpp)
  std::uint64_t agreement_due = never;  ///< on PE 0: when it calls for the next step, or has all stop
  std::uint64_t witness_due = never;    ///< when the witness is to look again (reserved/answer_watch.hpp)
};
extern PerRuntime<Pace> pace;

/// Notes that an object, which had passed `passed` sync points, passes the next one.
inline void note_point(std::uint64_t passed) {
  if (passed >= pace->points) pace->points = passed + 1;
}
/// Notes that an object passes a sync point, and returns true if the schedule makes that point a step.
inline bool next_gathers(std::uint64_t passed) {
  note_point(passed);
  return pace->schedule.next_gathers(passed);
}

}  // namespace skein::balance
