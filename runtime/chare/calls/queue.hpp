// SPDX-License-Identifier: Apache-2.0
// What waits in this PE's queue, and what is done with it: the loop runs it, puts calls aside for an LB step,
// or drops them.
#pragma once

#include <cstdint>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/calls/held_calls.hpp"
#include "runtime/chare/calls/priorities.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Beside `queue`, which has the calls without a priority.
struct Queued {
  enum class Mode { run, hold, hold_all, drop };
  Mode mode = Mode::run;          ///< what is done with calls
  PriorityQueue urgent, patient;  ///< calls before those in `queue`, and behind
  HeldCalls held;

  bool any() const { return calls_here.queue.first || !urgent.empty() || !patient.empty(); }
};
[[gnu::visibility("hidden")]] extern PerRuntime<Queued> queued;  // no indirection by a table of addresses

/// Waits in the queue like calls. `called`: the array whose elements it calls directly.
void enqueue_function(const FunctionInfo& function, Bytes argument, const ArrayBase* called = nullptr,
                      std::int64_t priority = 0);
/// Runs `begin` as the first of them.
void enqueue_begin(void (*begin)());

/// Calls of arrays with ArrayBase::held are put aside until release_calls(), which ends that for all arrays.
void hold_calls();
/// Puts all calls aside, functions of timers and callbacks included, until release_calls().
void hold_all_calls();
void release_calls();
/// From now on calls are dropped instead of run.
void drop_calls();

}  // namespace skein::chare
