// SPDX-License-Identifier: Apache-2.0
// The settings of a job that calls and elements look at.
#pragma once

namespace skein::chare {

/// Set on each PE before its first element and message are made, equally on all; read by entry methods and
/// the runtime.
struct Settings {
  bool elements_watched = false;  ///< each element has pages of its own (element_memory.hpp): --check
  bool repacking = false;         ///< elements are made anew at their sync points: --check=pup
  /// --deterministic: contributions are kept apart until all are there, and combined in the order of indices,
  /// so that the result depends neither on the places of elements nor on timing.
  bool ordered_reductions = false;
  bool traffic_wanted = false;  ///< the strategy uses the communication graph
  bool ends_by_exit = false;    ///< the program has an exit() without a status (skein/job.hpp)
  bool tickets_kept = false;    ///< the job is recorded (ticket.hpp), until its runtime ends
  bool states_wanted = false;   ///< states of the job are written (runtime/chare/states/)
  bool running_again = false;   ///< on PE 0: run()'s function runs in a job that continues from a state; its
                                ///< calls have no effect
};
extern Settings settings;

}  // namespace skein::chare
