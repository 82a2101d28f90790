// SPDX-License-Identifier: Apache-2.0
// Switches through Boost.Context, for processors that Skein has no own code for (SKEIN_CONTEXT=boost). Boost
// keeps the registers of a call, but not all of the floating-point environment on every processor. So the
// whole environment is exchanged here, which takes longer than the rest.
#include <fenv.h>

#include <boost/context/detail/fcontext.hpp>

#include "runtime/fiber/context.hpp"

namespace skein::fiber {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

/// Notes that the suspended flow continues from `from`, which Boost tells only the flow that is resumed.
void note_left(transfer_t from) { *static_cast<Context*>(from.data) = from.fctx; }

/// Runs first on a new stack: takes the function of the flow, and waits for its first turn.
void enter(transfer_t made_by) {
  const auto begin = reinterpret_cast<void (*)()>(made_by.data);
  note_left(jump_fcontext(made_by.fctx, nullptr));
  begin();
}

}  // namespace

extern "C" void skein_switch_context(Context* left, Context to) {
  fenv_t environment;
  fegetenv(&environment);
  note_left(jump_fcontext(static_cast<fcontext_t>(to), left));
  fesetenv(&environment);
}

Context make_context(std::byte* stack_end, void (*begin)()) {
  // Only systems that must know where a stack ends use the size.
  constexpr std::size_t least_bytes = 16 * 1024;
  const fcontext_t entered = boost::context::detail::make_fcontext(stack_end, least_bytes, enter);
  return jump_fcontext(entered, reinterpret_cast<void*>(begin)).fctx;
}

const bool knows_calls = false;
bool waits_on_own_stack(Context, const std::byte*, const std::byte*) { return false; }

}  // namespace skein::fiber
