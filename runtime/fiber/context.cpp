// SPDX-License-Identifier: Apache-2.0
#include "runtime/fiber/context.hpp"

#include <unwind.h>

#include <cstdint>

namespace skein::fiber {
namespace {

/// The data at the top of a suspended stack.
struct Saved {
  std::uint32_t mxcsr;
  std::uint16_t x87_control;
  std::uint16_t x87_flags;  // of the status word
  std::uint64_t r12, r13, r14, r15, rbx, rbp;
  void (*goes_on_at)();
  std::uint64_t caller;  // of a flow's first function: null
};
static_assert(sizeof(Saved) == 9 * 8);

/// Returns the top of a stack when the first function of a flow has begun.
std::uintptr_t top_of(const std::byte* stack_end) {
  return reinterpret_cast<std::uintptr_t>(stack_end) & ~std::uintptr_t{15};
}

/// The calls that unwinding has found.
struct Calls {
  std::uintptr_t above;  ///< the next call must lie above this
  std::uintptr_t top;
  bool any = false;
};

_Unwind_Reason_Code look_at_call(_Unwind_Context* context, void* argument) {
  auto& calls = *static_cast<Calls*>(argument);
  // The first call is skein_walk_context(), on another stack.
  if (!calls.any) {
    calls.any = true;
    return _URC_NO_REASON;
  }
  const auto stack_pointer = static_cast<std::uintptr_t>(_Unwind_GetCFA(context));
  if (stack_pointer <= calls.above || stack_pointer > calls.top) return _URC_END_OF_STACK;
  calls.above = stack_pointer;
  return _URC_NO_REASON;
}

}  // namespace

/// Registers for rounding, its exceptions, and which exceptions interrupt the program, are loaded only where
/// the two flows differ: loading takes longer than all the rest. Those of the x87 unit (long double) have
/// their flags in a word that cannot be loaded alone; and if a flow has flags that interrupt it, fldcw would
/// raise the exception in another flow.
asm(R"(
  .pushsection .text
  .p2align 4
  .globl skein_switch_context
  .hidden skein_switch_context
  .type skein_switch_context, @function
skein_switch_context:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r15, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r14, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r13, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %r12, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  fnstsw %ax
  andl $0x7f, %eax
  movw %ax, 6(%rsp)
  movl (%rsp), %edx
  movzwl 4(%rsp), %ecx
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  cmpl (%rsp), %edx
  jne 2f
  cmpw 4(%rsp), %cx
  jne 2f
  cmpw 6(%rsp), %ax
  jne 2f
1:
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r12
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r13
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r14
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_restore %r15
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbp
  ret
2:
  .cfi_adjust_cfa_offset 56
  .cfi_rel_offset %r12, 8
  .cfi_rel_offset %r13, 16
  .cfi_rel_offset %r14, 24
  .cfi_rel_offset %r15, 32
  .cfi_rel_offset %rbx, 40
  .cfi_rel_offset %rbp, 48
  ldmxcsr (%rsp)
  orw 6(%rsp), %ax
  jne 3f
  fldcw 4(%rsp)
  jmp 1b
3:
  subq $32, %rsp
  .cfi_adjust_cfa_offset 32
  fnstenv (%rsp)
  movl 36(%rsp), %eax
  movw %ax, (%rsp)
  shrl $16, %eax
  movw %ax, 4(%rsp)
  fldenv (%rsp)
  addq $32, %rsp
  .cfi_adjust_cfa_offset -32
  jmp 1b
  .cfi_endproc
  .size skein_switch_context, . - skein_switch_context
  .popsection
)");

/// Calls `_Unwind_Backtrace(look, argument)` from a frame whose caller, according to its table, is the
/// waiting flow; writes nothing to that flow's stack.
asm(R"(
  .pushsection .text
  .p2align 4
  .type skein_walk_context, @function
skein_walk_context:
  .cfi_startproc
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbx, 0
  movq %rdi, %rbx
  movq %rsi, %rdi
  movq %rdx, %rsi
  .cfi_remember_state
  .cfi_def_cfa %rbx, 64
  .cfi_offset %r12, -56
  .cfi_offset %r13, -48
  .cfi_offset %r14, -40
  .cfi_offset %r15, -32
  .cfi_offset %rbx, -24
  .cfi_offset %rbp, -16
  call _Unwind_Backtrace
  .cfi_restore_state
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbx
  ret
  .cfi_endproc
  .size skein_walk_context, . - skein_walk_context
  .popsection
)");
extern "C" void skein_walk_context(Context context, _Unwind_Trace_Fn look, void* argument);

const bool knows_calls = true;
bool waits_on_own_stack(Context context, const std::byte* first_call, const std::byte* stack_end) {
  Calls calls{reinterpret_cast<std::uintptr_t>(context), top_of(stack_end)};
  skein_walk_context(context, look_at_call, &calls);
  return calls.above >= reinterpret_cast<std::uintptr_t>(first_call);
}

Context make_context(std::byte* stack_end, void (*begin)()) {
  auto* const saved = reinterpret_cast<Saved*>(top_of(stack_end)) - 1;
  *saved = {};
  asm("stmxcsr %0" : "=m"(saved->mxcsr));
  asm("fnstcw %0" : "=m"(saved->x87_control));
  asm("fnstsw %0" : "=m"(saved->x87_flags));
  saved->x87_flags &= 0x7f;
  saved->goes_on_at = begin;
  return saved;
}

}  // namespace skein::fiber
