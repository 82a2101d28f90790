// SPDX-License-Identifier: Apache-2.0
// The calls that wait in this PE's queue, and their treatment: the loop runs them, puts them aside for an LB
// step, or drops them.
#pragma once

#include <cstdint>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/calls/held_calls.hpp"
#include "runtime/chare/calls/priorities.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The queue's state beside `queue`, which has the calls without a priority.
struct Queued {
  enum class Mode { run, hold, hold_all, drop };
  Mode mode = Mode::run;          ///< the treatment of calls
  PriorityQueue urgent, patient;  ///< calls before and behind those in `queue`
  HeldCalls held;

  bool any() const { return calls_here.queue.first || !urgent.empty() || !patient.empty(); }
};
[[gnu::visibility("hidden")]] extern PerRuntime<Queued> queued;  // accessed without the global offset table

/// Queues a function like a call. `called`: the array whose elements it calls directly.
void enqueue_function(const FunctionInfo& function, Bytes argument, const ArrayBase* called = nullptr,
                      std::int64_t priority = 0);
/// Queues `begin`, to run first.
void enqueue_begin(void (*begin)());

/// Puts calls of arrays with ArrayBase::held aside until release_calls(), which ends that for all arrays.
void hold_calls();
/// Puts all calls aside, functions of timers and callbacks included, until release_calls().
void hold_all_calls();
void release_calls();
/// Drops all calls from now on instead of running them.
void drop_calls();

}  // namespace skein::chare
