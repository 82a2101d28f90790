// SPDX-License-Identifier: Apache-2.0
// How a job runs, where its calls and elements ask for it on their way.
#pragma once

namespace skein::chare {

/// Set on each PE before its first element and message are made, to the same on all; read by entry methods
/// and the runtime.
struct Settings {
  bool elements_watched = false;    ///< each element has pages of its own (element_memory.hpp): --check
  bool repacking = false;           ///< elements are made anew at their sync points: --check=pup
  bool ordered_reductions = false;  ///< contributions are kept apart until all are there, and combined in the
                                    ///< order of the indices, so that the result depends neither on where
                                    ///< elements are nor on when they contribute: --deterministic
  bool traffic_wanted = false;      ///< the strategy looks at who calls whom
  bool ends_by_exit = false;        ///< the program has an exit() without a status (skein/job.hpp)
  bool tickets_kept = false;        ///< the job is recorded (ticket.hpp), until its runtime ends
  bool states_wanted = false;       ///< states of the job are written (runtime/chare/states/)
  bool running_again = false;  ///< on PE 0: the function given to run() runs in a job that goes on from a
                               ///< state; nothing comes of its calls
};
extern Settings settings;

}  // namespace skein::chare
