// SPDX-License-Identifier: Apache-2.0
// The loop of a PE: takes calls from the queue, polls the transport, and looks for the end when there is
// nothing to do.
#pragma once

#include <cstdint>

#include "runtime/balance/lb_step.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Runs until the job ends. Returns its exit status.
int run_pe();

/// As send_message_to(), of any arguments.
std::size_t send_packed_to(int pe, std::uint32_t array, Bytes index, Message& message, std::int64_t priority);

/// Waits in the queue like calls. `called`: the array whose elements it calls directly.
void enqueue_function(const FunctionInfo& function, Bytes argument, const ArrayBase* called = nullptr,
                      std::int64_t priority = 0);
/// Charges the time to the element whose method has returned, and grants what it asked for: it may be gone
/// then.
void after_call(Element& element);
/// The time since somebody was charged last, an equal part for each of their calls (Element::batched). None
/// is there twice.
void charge_batched(std::span<Element* const> elements);
/// So many ticks that have just passed are no element's.
void charge_nobody(std::uint64_t ticks);
/// This PE spent them on others' loops.
void count_as_busy(std::uint64_t ticks);
/// Runs `begin` as the first of them.
void enqueue_begin(void (*begin)());

/// From a poll: the loop ends; it makes an LB step; it drops calls instead of running them.
void end_loop(int status);
void request_step(balance::StepAt at);
/// Where the LB step is that is being made.
extern balance::StepAt step_at;
void drop_calls();
/// Calls of arrays with ArrayBase::held are put aside until release_calls(), which ends that for all arrays.
void hold_calls();
/// Puts all calls aside, functions of timers and callbacks included, until release_calls().
void hold_all_calls();
void release_calls();

/// Nobody wants to know in this job what each element takes: a wait of a quarter of a microsecond counts as
/// time of the call that ends it, and the clock is not read for it. Before run_pe().
void ignore_short_waits();

/// Seconds this PE has spent in entry methods.
double busy_seconds();

}  // namespace skein::chare
