// SPDX-License-Identifier: Apache-2.0
// What is looked at whenever an object passes a sync point, or the loop of a PE has come around once: which
// sync points are LB steps, whether this one may be passed, whether something is due.
#pragma once

#include <cstdint>

#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/schedule.hpp"

namespace skein::balance {

struct Pace {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  /// All PEs have the same one, also those without objects, since all take part in every step.
  lb::Schedule schedule{};
  std::uint64_t points = 0;     ///< sync points that the foremost object of this PE has passed
  bool lazy = false;            ///< the job balances lazily (lazy/lazy_pe.hpp)
  bool agrees = false;          ///< it agrees on its steps (agreed_steps.hpp), as far as this PE knows
  bool stops_in_waits = false;  ///< and has them without a sync point where none comes
  lb::lazy::Member member;      ///< of a job that does one of these

  // ---- in ticks()
  std::uint64_t progress_due = never;   ///< on PE 0: when the status line is to be drawn again (progress.hpp)
  std::uint64_t agreement_due = never;  ///< when it calls for the next step, or has all stop
  std::uint64_t witness_due = never;    ///< when the witness is to look again (reserved/answer_watch.hpp)
};
extern PerRuntime<Pace> pace;

/// An object passes the sync point before which it had passed so many.
inline void note_point(std::uint64_t passed) {
  if (passed >= pace->points) pace->points = passed + 1;
}
/// As the schedule's, of an object that passes a sync point.
inline bool next_gathers(std::uint64_t passed) {
  note_point(passed);
  return pace->schedule.next_gathers(passed);
}

}  // namespace skein::balance
