// SPDX-License-Identifier: Apache-2.0
// Switching from stack to stack: the only code that knows how the processor and its calling convention keep a
// flow of control. context.cpp is for x86-64 (System V); context_boost.cpp, over Boost.Context, for others.
//
// A switch ends with a return. Processors foresee where a return goes by the calls that they have seen, and
// what flows of one program call around a switch is mostly the same; so all returns behind the switch are
// foreseen as well. One that ended with a jump would leave each of them wrong by one.
#pragma once

#include <cstddef>

namespace skein::fiber {

/// Where a flow goes on that does not run: the top of its stack, where its registers are, those of its
/// floating-point environment (fenv.h) among them. Whatever is below that is free. Means the same on each
/// process that has the stack.
using Context = void*;

/// A flow that begins with `begin()`, which never returns, on the stack that ends there.
Context make_context(std::byte* stack_end, void (*begin)());

/// Leaves the flow that runs: it goes on from `left`. `to` goes on, and is valid no more.
extern "C" void skein_switch_context(Context* left, Context to);
inline void switch_context(Context& left, Context to) { skein_switch_context(&left, to); }

/// Whether all calls that led to where a flow waits lie on one stack, each above the one that it made, and
/// the first of them at `first_call`, or above it but below `stack_end`. False where code has no table for
/// unwinding, too, and always unless knows_calls.
bool waits_on_own_stack(Context context, const std::byte* first_call, const std::byte* stack_end);

extern const bool knows_calls;

}  // namespace skein::fiber
