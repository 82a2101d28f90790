// SPDX-License-Identifier: Apache-2.0
// Switching from stack to stack: the only code that knows how the processor and its calling convention keep a
// flow of control. context.cpp is for x86-64 (System V); context_boost.cpp, over Boost.Context, for others.
//
// A switch ends with a return. Processors predict the target of a return from the calls that they have seen,
// and the flows of one program mostly make the same calls around a switch; so they predict all returns behind
// the switch as well. A switch that ended with a jump would leave each of these predictions wrong by one.
#pragma once

#include <cstddef>

namespace skein::fiber {

/// The point where a suspended flow continues: the top of its stack, which holds its registers, those of its
/// floating-point environment (fenv.h) among them. All below is free. Valid on each process that has the
/// stack.
using Context = void*;

/// Makes a flow that begins with `begin()`, which never returns, on the stack that ends at `stack_end`.
Context make_context(std::byte* stack_end, void (*begin)());

/// Suspends the running flow, which continues from `left` later, and resumes `to`, which is invalid from then
/// on.
extern "C" void skein_switch_context(Context* left, Context to);
inline void switch_context(Context& left, Context to) { skein_switch_context(&left, to); }

/// Returns true if all calls that led to where a flow waits lie on one stack, each above the one that it
/// made, and the first of them at `first_call`, or above it but below `stack_end`. Returns false, too, if
/// code has no table for unwinding, and always unless knows_calls.
bool waits_on_own_stack(Context context, const std::byte* first_call, const std::byte* stack_end);

extern const bool knows_calls;

}  // namespace skein::fiber
