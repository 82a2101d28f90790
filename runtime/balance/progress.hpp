// SPDX-License-Identifier: Apache-2.0
// The status line of a run on a terminal: how fast it goes, how balanced it is, what has moved, for how long
// it runs. PE 0 draws it, from what it knows anyway; nobody is asked and nobody waits.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"

namespace skein::balance {

struct StepRecord;

struct Progress {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t due = never;  ///< when it is to be drawn again, in ticks()
  std::uint64_t points = 0;   ///< sync points that the foremost object of this PE has passed
};
extern PerRuntime<Progress> progress;

/// On PE 0, when the job begins. Nothing is shown where standard error is no terminal; nor, unless it is
/// `wanted`, where standard output is a pipe.
void start_progress(std::optional<bool> wanted);
/// An object passes the sync point before which it had passed so many.
inline void note_point(std::uint64_t passed) {
  if (passed >= progress->points) progress->points = passed + 1;
}
void note_step(const StepRecord& record);

void draw_progress();
/// From the loop of the PE, again and again.
inline void keep_progress() {
  if (ticks() >= progress->due) draw_progress();
}
/// Before the closing lines.
void end_progress();

}  // namespace skein::balance
