// SPDX-License-Identifier: Apache-2.0
#include "runtime/fiber/context.hpp"

#include <cstdint>

namespace skein::fiber {
namespace {

/// What lies at the top of a stack that does not run.
struct Saved {
  std::uint32_t mxcsr;
  std::uint16_t x87_control;
  std::uint16_t unused;
  std::uint64_t r12, r13, r14, r15, rbx, rbp;
  void (*goes_on_at)();
  std::uint64_t caller;  // of a flow's first function: nobody
};
static_assert(sizeof(Saved) == 9 * 8);

}  // namespace

// The registers that say how numbers are rounded are loaded only where the two flows differ: that takes
// longer than all the rest.
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
  movl (%rsp), %eax
  movzwl 4(%rsp), %ecx
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  cmpl (%rsp), %eax
  jne 2f
  cmpw 4(%rsp), %cx
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
  fldcw 4(%rsp)
  jmp 1b
  .cfi_endproc
  .size skein_switch_context, . - skein_switch_context
  .popsection
)");

Context make_context(std::byte* stack_end, void (*begin)()) {
  const auto end = reinterpret_cast<std::uintptr_t>(stack_end) & ~std::uintptr_t{15};
  auto* const saved = reinterpret_cast<Saved*>(end) - 1;
  *saved = {};
  asm("stmxcsr %0" : "=m"(saved->mxcsr));
  asm("fnstcw %0" : "=m"(saved->x87_control));
  saved->goes_on_at = begin;
  return saved;
}

}  // namespace skein::fiber
